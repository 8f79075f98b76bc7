#pragma once
#include "gnn/device/stream.h"
#include "gnn/norm/layer_norm.h"

namespace gnn::cuda {

using device::Stream;

// The twins of gnn/norm/layer_norm.h. Sums over rows have always the same bits.
void layer_norm(Stream& stream, const LayerNorm& op);
void layer_norm_grad(Stream& stream, const LayerNormGrad& op);
void l2_normalize(Stream& stream, int64_t rows, int64_t dim, const float* x, float* norms, float* out);
void l2_normalize_grad(Stream& stream, const L2NormalizeGrad& op);

}  // namespace gnn::cuda
