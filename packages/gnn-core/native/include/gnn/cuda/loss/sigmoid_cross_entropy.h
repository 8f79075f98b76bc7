#pragma once
#include "gnn/device/stream.h"
#include "gnn/loss/sigmoid_cross_entropy.h"

namespace gnn::cuda {

using device::Stream;

// The twins of gnn/loss/sigmoid_cross_entropy.h; the sum is left on the device.
void sigmoid_cross_entropy_sum(Stream& stream, const SigmoidCrossEntropy& op, float* sum);
void sigmoid_cross_entropy_grad(Stream& stream, const SigmoidCrossEntropy& op, float scale, float* d_logits);

}  // namespace gnn::cuda
