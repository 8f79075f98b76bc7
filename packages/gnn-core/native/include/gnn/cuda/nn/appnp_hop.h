#pragma once
#include "gnn/device/stream.h"
#include "gnn/nn/appnp_hop.h"

namespace gnn::cuda {

using device::Stream;

// The twins of gnn/nn/appnp_hop.h; dropout drops the entries that the CPU's drops. No atomics: always the same bits.
void appnp_hop(Stream& stream, const BlockView& block, const AppnpHop& hop, const float* z, const float* h, float* out);
void appnp_hop_grad(Stream& stream, const AppnpHopGrad& op);

}  // namespace gnn::cuda
