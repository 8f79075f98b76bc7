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

struct EdgeLists {
  int32_t indptr[kRows + 1];
  Recycled<int32_t> src;
};

// The in-neighbours of up to kRows nodes, one list after the other.
void list_sources(const GraphView& graph, const int32_t* nodes, int64_t count, int64_t num_rows, EdgeLists& edges) {
  int64_t num_edges = 0;
  for (int64_t i = 0; i < count; ++i) {
    const Column column = graph.column(nodes[i]);
    __builtin_prefetch(column.src);
    num_edges += column.degree;
  }
  if (num_edges > INT32_MAX) throw Error("DATASET_TOO_LARGE", "64 nodes have over 2^31 - 1 in-edges together.");
  edges.src.resize(static_cast<size_t>(num_edges));
  int32_t* to = edges.src.data();
  edges.indptr[0] = 0;
  for (int64_t i = 0; i < count; ++i) {
    const Column column = graph.column(nodes[i]);
    to = std::copy_n(column.src, column.degree, to);
    edges.indptr[i + 1] = edges.indptr[i] + static_cast<int32_t>(column.degree);
  }
  uint32_t highest = 0;
  for (int32_t u : edges.src) highest = std::max(highest, static_cast<uint32_t>(u));
  if (num_edges == 0 || static_cast<int64_t>(highest) < num_rows) return;
  throw Error("SHAPE_MISMATCH", "An edge comes from node " + std::to_string(static_cast<int32_t>(highest)) +
                                    "; there are " + std::to_string(num_rows) + " rows.");
}

void write_beside(const RowPlaces& own, const int32_t* nodes, int64_t count, const float* means, float* out) {
  const auto bytes = static_cast<size_t>(own.dim) * sizeof(float);
  for (int64_t i = 0; i < count; ++i) {
    std::memcpy(out + 2 * i * own.dim, own.row(nodes[i]), bytes);
    std::memcpy(out + (2 * i + 1) * own.dim, means + i * own.dim, bytes);
  }
}

}  // namespace

void neighbor_means(const NeighborMeans& op) {
  const FeatureView& features = op.features;
  if (op.graph.num_nodes() > features.num_rows) {
    throw Error("SHAPE_MISMATCH", "A op.graph of " + std::to_string(op.graph.num_nodes()) + " op.nodes has " +
                                      std::to_string(features.num_rows) + " rows only.");
  }
  if (features.dense.empty() || features.dtype != FeatureDtype::float32) {
    throw Error("SHAPE_MISMATCH", "Means of neighbours are read from dense float32 rows only.");
  }
  Recycled<int32_t> ids(features.dense.size() == 1 ? 0 : static_cast<size_t>(features.num_rows));
  std::iota(ids.begin(), ids.end(), 0);
  const RowSource x = all_rows(features, ids);
  const int64_t dim = features.dim;
  parallel_for(op.count, kRows, [&](int64_t begin, int64_t end) {
    const int64_t rows = end - begin;
    EdgeLists edges;
    list_sources(op.graph, op.nodes + begin, rows, features.num_rows, edges);
    Scratch memory(op.beside_own ? rows * dim : 0);
    float* means = op.beside_own ? memory.data() : op.out + begin * dim;
    sum_segments(x, {.indptr = edges.indptr, .indices = edges.src.data(), .mean = true}, 0, rows, means);
    if (op.beside_own) write_beside(x.places(), op.nodes + begin, rows, means, op.out + 2 * begin * dim);
  });
}

}  // namespace gnn
