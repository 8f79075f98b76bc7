#pragma once
#include "gnn/device/stream.h"
#include "gnn/nn/relation_conv.h"

namespace gnn::cuda {

using device::Stream;

// The twins of gnn/nn/relation_conv.h, all relations at once. In memory lie, while a call is under way, one sum and one
// product for each segment: never a message of each edge. Every sum has one order.
void relation_conv(Stream& stream, const RelationConv& op);
void relation_conv_grad(Stream& stream, const RelationConvGrad& op);

}  // namespace gnn::cuda
