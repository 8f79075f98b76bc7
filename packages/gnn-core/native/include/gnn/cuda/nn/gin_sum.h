#pragma once
#include "gnn/device/stream.h"
#include "gnn/nn/gin_sum.h"

namespace gnn::cuda {

using device::Stream;

// The twins of gnn/nn/gin_sum.h.
void gin_sum(Stream& stream, const GinSum& op);
void gin_sum_grad(Stream& stream, const GinSumGrad& op);
void neighbor_weights(Stream& stream, const NeighborWeights& op);

}  // namespace gnn::cuda
