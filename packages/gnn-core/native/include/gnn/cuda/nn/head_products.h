#pragma once
#include "gnn/device/stream.h"
#include "gnn/nn/head_products.h"

namespace gnn::cuda {

using device::Stream;

// The twins of gnn/nn/head_products.h, with their bits. No atomics.
void multiply_heads(Stream& stream, const HeadProduct& op);
void head_weight_gradients(Stream& stream, const HeadWeightGrad& op);

}  // namespace gnn::cuda
