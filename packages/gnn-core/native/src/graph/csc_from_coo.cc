#include <string>

#include "gnn/error.h"
#include "gnn/graph/csc.h"

namespace gnn {
namespace {

void check_ids(const int32_t* ids, int64_t n, int32_t num_nodes, const char* column) {
  for (int64_t i = 0; i < n; ++i) {
    if (ids[i] >= 0 && ids[i] < num_nodes) continue;
    throw Error("DATASET_NODE_UNKNOWN", "Edge row " + std::to_string(i) + " has " + column + " " +
                                            std::to_string(ids[i]) + "; expected 0 to " +
                                            std::to_string(int64_t{num_nodes} - 1) + ".");
  }
}

std::vector<int64_t> offsets_of(const int32_t* keys, int64_t n, int32_t num_nodes) {
  std::vector<int64_t> offsets(static_cast<size_t>(num_nodes) + 1, 0);
  for (int64_t i = 0; i < n; ++i) ++offsets[keys[i] + 1];
  for (int32_t v = 0; v < num_nodes; ++v) offsets[v + 1] += offsets[v];
  return offsets;
}

// Rows ordered by src; stable.
std::vector<uint32_t> rows_by_src(const int32_t* src, int64_t n, int32_t num_nodes) {
  std::vector<int64_t> next = offsets_of(src, n, num_nodes);
  std::vector<uint32_t> rows(n);
  for (int64_t i = 0; i < n; ++i) rows[next[src[i]]++] = static_cast<uint32_t>(i);
  return rows;
}

}  // namespace

// A stable counting sort by src, then by dst: each column ends up ascending, ties in row order.
Csc csc_from_coo(const int32_t* src, const int32_t* dst, int64_t num_rows, int32_t num_nodes, bool drop_duplicates,
                 bool drop_self_loops) {
  if (num_rows > int64_t{UINT32_MAX}) {
    throw Error("DATASET_TOO_LARGE", "There are " + std::to_string(num_rows) + " edge rows; at most 2^32 - 1 fit.");
  }
  check_ids(src, num_rows, num_nodes, "source");
  check_ids(dst, num_rows, num_nodes, "destination");
  const std::vector<uint32_t> by_src = rows_by_src(src, num_rows, num_nodes);
  const std::vector<int64_t> begin = offsets_of(dst, num_rows, num_nodes);

  // Each column is filled from its begin; what is dropped leaves a gap at its end, closed afterwards.
  Csc csc;
  csc.indices.resize(num_rows);
  csc.edge_ids.resize(num_rows);
  std::vector<int64_t> next(begin.begin(), begin.end() - 1);
  for (const uint32_t row : by_src) {
    const int32_t u = src[row], v = dst[row];
    if (u == v) {
      ++csc.num_self_loops;
      if (drop_self_loops) continue;
    }
    int64_t& at = next[v];
    if (at > begin[v] && csc.indices[at - 1] == u) {
      ++csc.num_duplicates;
      if (drop_duplicates) continue;
    }
    csc.indices[at] = u;
    csc.edge_ids[at++] = row;
  }

  csc.indptr.resize(static_cast<size_t>(num_nodes) + 1);
  int64_t write = 0;
  for (int32_t v = 0; v < num_nodes; ++v) {
    csc.indptr[v] = write;
    for (int64_t e = begin[v]; e < next[v]; ++e, ++write) {
      csc.indices[write] = csc.indices[e];
      csc.edge_ids[write] = csc.edge_ids[e];
    }
  }
  csc.indptr[num_nodes] = write;
  csc.indices.resize(write);
  csc.edge_ids.resize(write);
  return csc;
}

}  // namespace gnn
