#include "gnn/sparse/neighbor_means.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "gnn/error.h"
#include "gnn/features/row_source.h"
#include "gnn/runtime/memory.h"
#include "gnn/runtime/parallel.h"
#include "gnn/sparse/row_sum.h"

namespace gnn {
namespace {

constexpr int64_t kRows = 64;  // few: one column may have ten thousand edges

// All rows of the matrix, by their own numbers.
RowSource all_rows(const FeatureView& features, const Recycled<int32_t>& ids) {
  if (features.dense.size() == 1) return {static_cast<const float*>(features.dense[0].values), features.dim};
  return RowSource(features, ids.data(), features.num_rows);
}

void check_sources(const int32_t* src, int64_t count, int64_t num_rows) {
  uint32_t highest = 0;
  for (int64_t i = 0; i < count; ++i) highest = std::max(highest, static_cast<uint32_t>(src[i]));
  if (count == 0 || static_cast<int64_t>(highest) < num_rows) return;
  throw Error("SHAPE_MISMATCH", "An edge comes from node " + std::to_string(static_cast<int32_t>(highest)) + "; there are " +
                                    std::to_string(num_rows) + " rows.");
}

// Means of up to kRows columns of one part.
void mean_columns(const PartView& part, int64_t first, int64_t count, const RowSource& x, int64_t num_rows, float* out) {
  const int64_t begin = part.indptr[first], num_edges = part.indptr[first + count] - begin;
  if (num_edges > INT32_MAX) throw Error("DATASET_TOO_LARGE", "64 nodes have over 2^31 - 1 in-edges together.");
  int32_t indptr[kRows + 1];
  for (int64_t i = 0; i <= count; ++i) indptr[i] = static_cast<int32_t>(part.indptr[first + i] - begin);
  check_sources(part.indices + begin, num_edges, num_rows);
  sum_segments(x, {indptr, part.indices + begin, nullptr, nullptr}, true, 0, count, 0, out);
}

void write_beside(const RowSource& x, int32_t first, int64_t count, const float* means, float* out) {
  const int64_t dim = x.dim();
  const auto bytes = static_cast<size_t>(dim) * sizeof(float);
  const RowPlaces own = x.places();
  for (int64_t i = 0; i < count; ++i) {
    std::memcpy(out + 2 * i * dim, own.row(first + i), bytes);
    std::memcpy(out + (2 * i + 1) * dim, means + i * dim, bytes);
  }
}

}  // namespace

void neighbor_means(const GraphView& graph, const FeatureView& features, int32_t first, int32_t count, bool beside_own,
                    float* out) {
  if (first < 0 || count < 0 || int64_t{first} + count > graph.num_nodes() || graph.num_nodes() > features.num_rows) {
    throw Error("SHAPE_MISMATCH", "The nodes from " + std::to_string(first) + " on, " + std::to_string(count) +
                                      " of them, are not all in a graph of " + std::to_string(graph.num_nodes()) +
                                      " nodes with " + std::to_string(features.num_rows) + " rows.");
  }
  if (features.dense.empty() || features.dtype != FeatureDtype::float32) {
    throw Error("SHAPE_MISMATCH", "Means of neighbours are read from dense float32 rows only.");
  }
  Recycled<int32_t> ids(features.dense.size() == 1 ? 0 : static_cast<size_t>(features.num_rows));
  std::iota(ids.begin(), ids.end(), 0);
  const RowSource x = all_rows(features, ids);
  const int64_t dim = features.dim;
  parallel_for(count, kRows, [&](int64_t begin, int64_t end) {
    Scratch memory(beside_own ? (end - begin) * dim : 0);
    for (int64_t at = begin, to; at < end; at = to) {
      const int32_t node = first + static_cast<int32_t>(at);
      const PartView& part = graph.part_of(node);
      to = std::min<int64_t>(end, int64_t{part.first_node} + part.num_nodes - first);
      float* means = beside_own ? memory.data() : out + at * dim;
      mean_columns(part, node - part.first_node, to - at, x, features.num_rows, means);
      if (beside_own) write_beside(x, node, to - at, means, out + 2 * at * dim);
    }
  });
}

}  // namespace gnn
