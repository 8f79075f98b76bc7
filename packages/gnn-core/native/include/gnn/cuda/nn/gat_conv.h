#pragma once
#include "gnn/device/stream.h"
#include "gnn/nn/gat_conv.h"

namespace gnn::cuda {

using device::Stream;

// The twins of gnn/nn/gat_conv.h; dropout drops what the CPU's drops. No message is ever stored, and no atomics are
// needed: always the same bits.
void gat_conv(Stream& stream, const GatConv& op);
void gat_conv_grad(Stream& stream, const GatConvGrad& op);

}  // namespace gnn::cuda
