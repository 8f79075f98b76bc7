#pragma once
#include "gnn/dense/linear.h"
#include "gnn/device/stream.h"

namespace gnn::cuda {

using device::Stream;

// masked = dy where out > 0 (out null: masked is not written) and d_bias = column sums of it; always the same bits.
void masked_bias_grad(Stream& stream, const MaskedBiasGrad& op);

}  // namespace gnn::cuda
