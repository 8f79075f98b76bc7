#pragma once
// The twins of gnn/nn/bias_activate.h and add_activate.h. Sums over rows have always the same bits.
#include "gnn/device/stream.h"
#include "gnn/nn/add_activate.h"
#include "gnn/nn/bias_activate.h"

namespace gnn::cuda {

using device::Stream;

void bias_activate(Stream& stream, const BiasActivate& op);
void bias_activate_grad(Stream& stream, const BiasActivateGrad& op);
void add_activate(Stream& stream, const AddActivate& op);
void add_activate_grad(Stream& stream, const AddActivateGrad& op);

}  // namespace gnn::cuda
