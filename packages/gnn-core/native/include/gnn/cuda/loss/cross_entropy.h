#pragma once
#include "gnn/device/stream.h"
#include "gnn/loss/cross_entropy.h"

namespace gnn::cuda {

using device::Stream;

// The twins of gnn/loss/cross_entropy.h. Sums are left on the device: nothing is read back before somebody asks.
void cross_entropy_sum(Stream& stream, const CrossEntropy& op, double* sum);
void cross_entropy_grad(Stream& stream, const CrossEntropy& op, float scale, float* d_logits);

// *hits = how many labelled rows have their largest logit, the first of equal ones, at the label.
void count_hits(Stream& stream, const CrossEntropy& op, double* hits);

}  // namespace gnn::cuda
