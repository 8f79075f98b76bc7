#pragma once
#include "gnn/features/row_source.h"
#include "gnn/sparse/block_view.h"

namespace gnn {

// out [num_dst, dim]: out_v = sum over edges e = (u, v) of edge_weights[e] x_u, + self_weights[v] x_v.
// Null edge_weights are ones; null self_weights are zeros. Edge messages are never stored.
struct WeightedSum {
  const float* edge_weights;  // [num_edges], in the order of block.indices
  const float* self_weights;  // [num_dst]
};
void weighted_spmm(const BlockView& block, int64_t dim, const WeightedSum& sum, const float* x, float* out);
// Sums rows that may lie in a feature matrix; undropped.
void weighted_spmm(const BlockView& block, const WeightedSum& sum, const RowSource& x, float* out);

// The transpose of the sum applied to dy, by src: no atomics, same bits on any thread count.
struct WeightedSpmmGrad {
  BlockView block;
  const int32_t* reverse_edges;  // [num_edges] position in block.indices of the edge block.reverse_indices[i]
  int64_t dim;
  WeightedSum sum;
  const float* dy;               // [num_dst, dim]
  float* dx;                     // [num_src, dim]
};
void weighted_spmm_grad(const WeightedSpmmGrad& op);

// out[e] = <x_u, y_v> for every edge e = (u, v); x [num_src, dim], y [num_dst, dim].
void sddmm_dot(const BlockView& block, int64_t dim, const float* x, const float* y, float* out);

// out_v = max over in-neighbours, elementwise; 0 without in-neighbours. share is 1 / (number of edges that reach the
// maximum): the gradient is split evenly among them.
void spmm_max(const BlockView& block, int64_t dim, const float* x, float* out, float* share);

struct SpmmMaxGrad {
  BlockView block;
  int64_t dim;
  const float* x;      // [num_src, dim]
  const float* out;    // [num_dst, dim], as spmm_max left it
  const float* share;  // [num_dst, dim], as spmm_max left it
  const float* dy;     // [num_dst, dim]
  float* dx;           // [num_src, dim]
};
void spmm_max_grad(const SpmmMaxGrad& op);

// out = softmax of the scores [num_edges, heads] over the edges of each dst row, per head.
void edge_softmax(const BlockView& block, int64_t heads, const float* scores, float* out);
void edge_softmax_grad(const BlockView& block, int64_t heads, const float* out, const float* dy, float* d_scores);

// Kipf and Welling 2017: edges[e] = w_e / sqrt((d_u + 1)(d_v + 1)) and selves[v] = 1 / (d_v + 1). Where a block holds
// only some of v's edges, each is multiplied by its importance, or without one by d_v / (sum of their weights).
struct GcnNorm {
  BlockView block;
  const float* weights = nullptr;     // [num_edges]; null: 1
  const float* importance = nullptr;  // [num_edges]
  const float* degrees;               // [num_src] (weighted) in-degrees in the whole graph
  float* edges;                       // [num_edges]
  float* selves;                      // [num_dst]
};
void gcn_norm(const GcnNorm& op);

// LightGCN's weights, without self-loops: edge u -> v = w_uv / sqrt(d_u d_v) * (d_v / sum of the block's weights at v),
// or times importance in place of what is in parentheses. A degree of 0 counts as 1. Computed in float64.
struct SymmetricNorm {
  BlockView block;
  const float* weights = nullptr;     // [num_edges]; null: 1
  const float* importance = nullptr;  // [num_edges]
  const float* degrees;               // [num_src] (weighted) in-degrees in the whole graph
  float* edges;                       // [num_edges]
};
void symmetric_norm(const SymmetricNorm& op);

}  // namespace gnn
