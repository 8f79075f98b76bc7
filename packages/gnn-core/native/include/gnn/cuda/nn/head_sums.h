#pragma once
#include "gnn/device/stream.h"
#include "gnn/nn/head_sums.h"

namespace gnn::cuda {

using device::Stream;

// The twins of gnn/nn/head_sums.h. No atomics: every sum has one order.
void head_sum(Stream& stream, const HeadShape& shape, const float* weights, const float* x, float* out);
void head_sum_grad(Stream& stream, const HeadShape& shape, const int32_t* reverse_edges, const float* weights,
                   const float* dy, float* dx);
void head_dot(Stream& stream, const HeadShape& shape, const float* x, const float* y, float* out);

}  // namespace gnn::cuda
