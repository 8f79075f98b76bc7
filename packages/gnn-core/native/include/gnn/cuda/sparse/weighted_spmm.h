#pragma once
// The twins of gnn/sparse/weighted_spmm.h: the same structs with pointers of the device.
#include "gnn/device/stream.h"
#include "gnn/sparse/weighted_spmm.h"

namespace gnn::cuda {

using device::Stream;

// out [num_dst, dim]: out_v = sum over edges e = (u, v) of edge_weights[e] x_u, + self_weights[v] x_v.
void weighted_spmm(Stream& stream, const BlockView& block, int64_t dim, const WeightedSum& sum, const float* x,
                   float* out);

// The transpose of the sum applied to dy, by src: no atomics, always the same bits.
void weighted_spmm_grad(Stream& stream, const WeightedSpmmGrad& op);

// out[e] = <x_u, y_v> for every edge e = (u, v); x [num_src, dim], y [num_dst, dim].
void sddmm_dot(Stream& stream, const BlockView& block, int64_t dim, const float* x, const float* y, float* out);

// out_v = max over in-neighbours, elementwise; 0 without in-neighbours. share is 1 / (number of edges that reach it).
void spmm_max(Stream& stream, const BlockView& block, int64_t dim, const float* x, float* out, float* share);
void spmm_max_grad(Stream& stream, const SpmmMaxGrad& op);

// out = softmax of the scores [num_edges, heads] over the edges of each dst row, per head.
void edge_softmax(Stream& stream, const BlockView& block, int64_t heads, const float* scores, float* out);
void edge_softmax_grad(Stream& stream, const BlockView& block, int64_t heads, const float* out, const float* dy,
                       float* d_scores);

void gcn_norm(Stream& stream, const GcnNorm& op);
// The CPU's bits, unless the block has weights: they are added up in another order.
void symmetric_norm(Stream& stream, const SymmetricNorm& op);

}  // namespace gnn::cuda
