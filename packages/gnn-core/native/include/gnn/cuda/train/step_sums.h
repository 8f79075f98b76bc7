#pragma once
// What is counted in a training step and read by the host once in a while: it stays on the device until then.
#include <cstdint>

#include "gnn/cuda/optim/update.h"

namespace gnn::cuda {

// to[0] = sum[0], rounded.
void round_sum(Stream& stream, const double* sum, float* to);

// A step's sums, as they lie behind its gradient.
constexpr int kStepSums = 4;

// Sums of all steps since the totals were zeroed.
struct StepTotals {
  double sums[kStepSums];
  double num_bad_steps;    // whose gradient or first sum, the loss, is not finite
  double first_bad_step;   // its number; meaningless while there is none
};

// Adds sums [kStepSums] to the totals. A step whose loss is not finite is marked in `scale`, too: no update follows.
void add_step(Stream& stream, const float* sums, int64_t step, GradientScale* scale, StepTotals* totals);

}  // namespace gnn::cuda
