#pragma once
#include "gnn/features/row_source.h"
#include "gnn/sparse/block_view.h"

namespace gnn {

// out [num_dst, dim] = mean of the in-neighbours' rows of x [num_src, dim], undropped; 0 without in-neighbours.
void spmm_mean(const BlockView& block, const RowSource& x, float* out);

// The rows [begin, end) of it, on the calling thread; `accumulate` adds to out instead of overwriting it.
void spmm_mean_rows(const BlockView& block, const RowSource& x, int64_t begin, int64_t end, bool accumulate,
                    float* out);

// dx [num_src, dim] = transpose of spmm_mean applied to dy [num_dst, dim]. Walks edges by src: no atomics, same bits
// whatever the threads. Rows below `accumulate_until` are added to, the others overwritten.
void spmm_mean_grad(const BlockView& block, int64_t dim, const float* dy, int64_t accumulate_until, float* dx);

}  // namespace gnn
