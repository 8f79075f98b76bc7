#pragma once
#include "gnn/device/stream.h"
#include "gnn/sparse/block_view.h"

namespace gnn::cuda {

using device::Stream;

// out [num_dst, dim] = mean of the in-neighbours' rows of x [num_src, dim]; 0 without in-neighbours. The CPU's bits.
void spmm_mean(Stream& stream, const BlockView& block, int64_t dim, const float* x, float* out);

// Each dst row's own row of x beside the mean of its neighbours: out [num_dst, 2 dim]
void spmm_mean_beside_own(Stream& stream, const BlockView& block, int64_t dim, const float* x, float* out);

// dx [num_src, dim] = transpose of spmm_mean applied to dy [num_dst, dim], times `scale`. Walks edges by src: no
// atomics, always the same bits. Rows below `accumulate_until` are added to first, the others overwritten.
void spmm_mean_grad(Stream& stream, const BlockView& block, int64_t dim, const float* dy, int64_t accumulate_until,
                    float* dx, float scale = 1.0f);

// Does without the edges by src: dx is zeroed, then added to by atomics in any order.
void spmm_mean_grad_atomic(Stream& stream, const BlockView& block, int64_t dim, const float* dy, float* dx);

}  // namespace gnn::cuda
