#pragma once
#include "gnn/device/stream.h"
#include "gnn/norm/batch_norm.h"

namespace gnn::cuda {

using device::Stream;

// The twins of gnn/norm/batch_norm.h. Sums over rows have always the same bits.
void batch_norm(Stream& stream, const BatchNorm& op);
void batch_norm_grad(Stream& stream, const BatchNormGrad& op);
void column_moments(Stream& stream, int64_t rows, int64_t dim, const float* x, const float* center, float* sums);
void add_moment_gradient(Stream& stream, const AddMomentGradient& op);

}  // namespace gnn::cuda
