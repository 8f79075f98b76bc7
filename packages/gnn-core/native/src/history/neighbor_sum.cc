#include "gnn/history/neighbor_sum.h"

#include <algorithm>
#include <cstring>

#include "gnn/runtime/isa.h"
#include "gnn/runtime/memory.h"
#include "gnn/runtime/parallel.h"
#include "gnn/sparse/row_sum.h"

namespace gnn {
namespace {

constexpr int64_t kRows = 32;    // few: one column may have ten thousand edges
constexpr int64_t kEdges = 4096;  // whose weights are computed at a time

// out = the (weighted) sum of rows src[0 … count) of x, or their mean; added to out with `accumulate`. In the order of
// weighted_spmm and spmm_mean on a full block.
void sum_column(const float* x, int64_t dim, const int32_t* src, const float* weights, int64_t count, bool mean,
                bool accumulate, float* out) {
  const int32_t indptr[2] = {0, static_cast<int32_t>(count)};
  const SegmentSums sums{
      .indptr = indptr, .indices = src, .entry_weights = weights, .mean = mean, .accumulate_until = accumulate ? 1 : 0};
  sum_segments(RowSource(x, dim), sums, 0, 1, out);
}

// The order of the sum is that on a full block as long as a column fits into one piece.
void add_normalised(const Column& column, const float* roots, int32_t node, int64_t dim, const float* x, float* out) {
  const float of_dst = roots[node];
  Scratch weights(std::min(column.degree, kEdges));
  for (int64_t begin = 0; begin < column.degree; begin += kEdges) {
    const int64_t count = std::min(kEdges, column.degree - begin);
    const int32_t* src = column.src + begin;
    for (int64_t e = 0; e < count; ++e) {
      const float weight = column.weights != nullptr ? column.weights[begin + e] : 1.0f;
      weights.data()[e] = weight * of_dst * roots[src[e]];
    }
    sum_column(x, dim, src, weights.data(), count, false, begin > 0, out);
  }
  const float self = of_dst * of_dst;
  weighted_sum_rows(x, dim, &node, &self, 1, out);
}

void sum_one(const GraphView& graph, const NeighborSum& sum, int32_t node, int64_t dim, const float* x, float* out) {
  const Column column = graph.column(node);
  std::memset(out, 0, static_cast<size_t>(dim) * sizeof(float));
  if (sum.inverse_roots != nullptr) return add_normalised(column, sum.inverse_roots, node, dim, x, out);
  sum_column(x, dim, column.src, nullptr, column.degree, true, false, out);
}

GNN_MULTIVERSION void subtract_row(const float* __restrict a, const float* __restrict b, int64_t dim,
                                   float* __restrict out) {
  for (int64_t d = 0; d < dim; ++d) out[d] = a[d] - b[d];
}

void add_drawn(const BlockView& block, const WeightedSum& drawn, int64_t dst, int64_t dim, const float* delta,
               float* out) {
  const int32_t begin = block.indptr[dst];
  weighted_sum_rows(delta, dim, block.indices + begin, drawn.edge_weights + begin, block.degree(dst), out);
  if (drawn.self_weights == nullptr) return;
  const auto row = static_cast<int32_t>(dst);
  weighted_sum_rows(delta, dim, &row, drawn.self_weights + dst, 1, out);
}

void check_nodes(const GraphView& graph, const int32_t* nodes, int64_t count) {
  graph.require_valid();
  for (int64_t i = 0; i < count; ++i) graph.part_of(nodes[i]);
}

}  // namespace

void sum_neighbors(const SumNeighbors& op) {
  const auto& [graph, sum, nodes, count, dim, x, out] = op;
  check_nodes(graph, nodes, count);  // here: the pool's threads must not throw
  parallel_for(count, kRows, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) sum_one(graph, sum, nodes[i], dim, x, out + i * dim);
  });
}

void control_variate_sum(const ControlVariateSum& op) {
  const auto& [graph, sum, block, src_ids, drawn, dim, h, history, out] = op;
  check_nodes(graph, src_ids, block.num_src);
  // The differences first: where history is exact they are zero, and so is the sampling noise, to the last bit.
  Scratch delta(block.num_src * dim);
  parallel_for(block.num_src, kRows, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      subtract_row(h + row * dim, history + src_ids[row] * dim, dim, delta.data() + row * dim);
    }
  });
  parallel_for(block.num_dst, kRows, [&](int64_t begin, int64_t end) {
    for (int64_t dst = begin; dst < end; ++dst) {
      float* row = out + dst * dim;
      sum_one(graph, sum, src_ids[dst], dim, history, row);
      add_drawn(block, drawn, dst, dim, delta.data(), row);
    }
  });
}

}  // namespace gnn
