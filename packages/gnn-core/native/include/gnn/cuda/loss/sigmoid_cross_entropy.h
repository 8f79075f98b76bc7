#pragma once
#include "gnn/device/stream.h"
#include "gnn/loss/sigmoid_cross_entropy.h"

namespace gnn::cuda {

using device::Stream;

// The twins of gnn/loss/sigmoid_cross_entropy.h; the sum is left on the device.
void sigmoid_cross_entropy_sum(Stream& stream, const SigmoidCrossEntropy& op, float* sum);
void sigmoid_cross_entropy_grad(Stream& stream, const SigmoidCrossEntropy& op, float scale, float* d_logits);

// How well labels are told at a threshold: *hits = 2 · true positives, *trials = predicted + actual members, so that
// hits / trials is micro F1.
struct LabelCounts {
  int64_t rows;
  int64_t classes;
  const float* outputs;  // [rows, classes]
  const float* targets;  // [rows, classes], 1 for a member
  const float* cuts;     // [classes], the output from which on a label is predicted
  float* hits;
  float* trials;
};
void count_labels(Stream& stream, const LabelCounts& op);

}  // namespace gnn::cuda
