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

// dx [num_src, dim]: the transpose of the sum applied to g [num_dst, dim], by src: no atomics, same bits on any thread
// count. reverse_edges[i] is the position in block.indices of the edge block.reverse_indices[i].
void weighted_spmm_grad(const BlockView& block, const int32_t* reverse_edges, int64_t dim, const WeightedSum& sum,
                        const float* g, float* dx);

// out[e] = <x_u, y_v> for every edge e = (u, v); x [num_src, dim], y [num_dst, dim].
void sddmm_dot(const BlockView& block, int64_t dim, const float* x, const float* y, float* out);

// out_v = max over in-neighbours, elementwise; 0 without in-neighbours. share is 1 / (number of edges that reach the
// maximum): the gradient is split evenly among them.
void spmm_max(const BlockView& block, int64_t dim, const float* x, float* out, float* share);
void spmm_max_grad(const BlockView& block, int64_t dim, const float* x, const float* out, const float* share,
                   const float* dy, float* dx);

// out = softmax of the scores [num_edges, heads] over the edges of each dst row, per head.
void edge_softmax(const BlockView& block, int64_t heads, const float* scores, float* out);
void edge_softmax_grad(const BlockView& block, int64_t heads, const float* out, const float* dy, float* d_scores);

// Kipf and Welling 2017: edges[e] = w_e / sqrt((d_u + 1)(d_v + 1)) and selves[v] = 1 / (d_v + 1), where degrees
// [num_src] are (weighted) in-degrees in the whole graph. Where a block holds only some of v's edges, each is
// multiplied by its `importance` [num_edges], or without one (null) by d_v / (sum of their weights).
void gcn_norm(const BlockView& block, const float* weights, const float* importance, const float* degrees, float* edges,
              float* selves);

}  // namespace gnn
