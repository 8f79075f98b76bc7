#pragma once
#include "gnn/device/stream.h"
#include "gnn/loss/regression_loss.h"

namespace gnn::cuda {

using device::Stream;

// The twins of gnn/loss/regression_loss.h; the sum is left on the device.
void regression_loss_sum(Stream& stream, const RegressionLoss& op, float* sum);
void regression_loss_grad(Stream& stream, const RegressionLoss& op, float scale, float* d_outputs);

}  // namespace gnn::cuda
