#include <algorithm>
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

// Calls visit(src, dst, row) for every edge: each row, and then in both directions unless it is a self-loop.
template <typename Visit>
void for_each_edge(const CooRows& rows, bool both_directions, const Visit& visit) {
  for (int64_t row = 0; row < rows.count; ++row) {
    const int32_t u = rows.src[row], v = rows.dst[row];
    visit(u, v, row);
    if (both_directions && u != v) visit(v, u, row);
  }
}

// One sortable number per edge of a column: src, then row.
uint64_t key_of(int32_t src, int64_t row) { return static_cast<uint64_t>(src) << 32 | static_cast<uint64_t>(row); }

constexpr int kMaxBuckets = 256;  // streams that are written at once; more would miss the caches and the TLB

// The edges by ranges of 2^shift columns, each range in row order.
struct Buckets {
  int shift = 0;
  std::vector<int64_t> begin;
  std::vector<uint64_t> keys;
  std::vector<int32_t> columns;
};

Buckets deal_out(const CooRows& rows, int32_t num_nodes, bool both_directions) {
  Buckets buckets;
  while (num_nodes >> buckets.shift >= kMaxBuckets) ++buckets.shift;
  const int shift = buckets.shift;
  buckets.begin.assign(static_cast<size_t>(num_nodes >> shift) + 2, 0);
  for_each_edge(rows, both_directions, [&](int32_t, int32_t v, int64_t) { ++buckets.begin[(v >> shift) + 1]; });
  for (size_t b = 1; b < buckets.begin.size(); ++b) buckets.begin[b] += buckets.begin[b - 1];
  buckets.keys.resize(static_cast<size_t>(buckets.begin.back()));
  buckets.columns.resize(buckets.keys.size());
  std::vector<int64_t> next = buckets.begin;
  for_each_edge(rows, both_directions, [&](int32_t u, int32_t v, int64_t row) {
    const int64_t at = next[v >> shift]++;
    buckets.keys[at] = key_of(u, row);
    buckets.columns[at] = v;
  });
  return buckets;
}

// Appends column v, whose sorted edges are [key, end).
void append_column(const uint64_t* key, const uint64_t* end, int32_t v, const CscOptions& options, Csc& csc) {
  for (int64_t previous = -1; key != end; ++key) {
    const auto u = static_cast<int32_t>(*key >> 32);
    if (u == v) {
      ++csc.num_self_loops;
      if (options.drop_self_loops) continue;
    }
    if (u == previous) {
      // In both directions a repeated row is met in two columns.
      if (!options.both_directions || u <= v) ++csc.num_duplicates;
      csc.first_duplicate = std::min(csc.first_duplicate, static_cast<int64_t>(*key & UINT32_MAX));
      if (options.drop_duplicates) continue;
    }
    previous = u;
    csc.indices.push_back(u);
    csc.edge_ids.push_back(static_cast<uint32_t>(*key));
  }
}

}  // namespace

// A radix pass deals the edges out to ranges of columns that fit the caches; inside a range they are dealt out to the
// columns and each column is sorted.
Csc csc_from_coo(const CooRows& rows, int32_t num_nodes, const CscOptions& options) {
  if (rows.count > int64_t{UINT32_MAX}) {
    throw Error("DATASET_TOO_LARGE", "There are " + std::to_string(rows.count) + " edge rows; at most 2^32 - 1 fit.");
  }
  check_ids(rows.src, rows.count, num_nodes, "source");
  check_ids(rows.dst, rows.count, num_nodes, "destination");
  const Buckets buckets = deal_out(rows, num_nodes, options.both_directions);
  Csc csc;
  csc.first_duplicate = rows.count;
  csc.indptr.reserve(static_cast<size_t>(num_nodes) + 1);
  csc.indices.reserve(buckets.keys.size());
  csc.edge_ids.reserve(buckets.keys.size());
  std::vector<int64_t> end;
  std::vector<uint64_t> keys;
  for (size_t b = 0; b + 1 < buckets.begin.size(); ++b) {
    const int64_t begin = buckets.begin[b], stop = buckets.begin[b + 1];
    const auto first = static_cast<int32_t>(b << buckets.shift);
    const int32_t count = std::min(num_nodes - first, 1 << buckets.shift);
    end.assign(static_cast<size_t>(count) + 1, 0);
    for (int64_t e = begin; e < stop; ++e) ++end[buckets.columns[e] - first + 1];
    for (int32_t v = 0; v < count; ++v) end[v + 1] += end[v];
    keys.resize(static_cast<size_t>(stop - begin));
    // end[v] moves from the begin of column v to its end, which is the begin of the next.
    for (int64_t e = begin; e < stop; ++e) keys[end[buckets.columns[e] - first]++] = buckets.keys[e];
    for (int64_t v = 0, at = 0; v < count; at = end[v], ++v) {
      std::sort(keys.begin() + at, keys.begin() + end[v]);
      csc.indptr.push_back(static_cast<int64_t>(csc.indices.size()));
      append_column(keys.data() + at, keys.data() + end[v], static_cast<int32_t>(first + v), options, csc);
    }
  }
  csc.indptr.push_back(static_cast<int64_t>(csc.indices.size()));
  if (csc.num_duplicates == 0) csc.first_duplicate = -1;
  return csc;
}

}  // namespace gnn
