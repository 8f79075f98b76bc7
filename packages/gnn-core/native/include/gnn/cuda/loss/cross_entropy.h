#pragma once
#include "gnn/device/stream.h"
#include "gnn/loss/cross_entropy.h"

namespace gnn::cuda {

using device::Stream;

// The twins of gnn/loss/cross_entropy.h. Sums, added up in double, are left on the device as float32: nothing is read
// back before somebody asks.
void cross_entropy_sum(Stream& stream, const CrossEntropy& op, float* sum);
void cross_entropy_grad(Stream& stream, const CrossEntropy& op, float scale, float* d_logits);

// *hits = how many labelled rows have their largest logit, the first of equal ones, at the label.
void count_hits(Stream& stream, const CrossEntropy& op, float* hits);

}  // namespace gnn::cuda
