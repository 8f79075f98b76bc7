#pragma once
// Optimizers on one bucket of all parameters, and what is done to its gradient before: two passes over it in all, and
// nothing is read back.
#include <cstdint>

#include "gnn/device/stream.h"
#include "gnn/optim/adagrad.h"
#include "gnn/optim/adam.h"
#include "gnn/optim/sgd.h"

namespace gnn::cuda {

using device::Stream;

// What an update takes the gradient times. Where it is not finite, updates leave everything as it is.
struct GradientScale {
  float factor;
  float norm;  // of the scaled gradient, before it is clipped
  int32_t is_finite;
};

// A step's sums, as they lie behind its gradient; the first is its loss, the second the weight of its seeds.
constexpr int kStepSums = 4, kWeightSum = 1;

// Sums of all steps since the totals were zeroed: read by the host once in a while.
struct StepTotals {
  double sums[kStepSums];
  double num_bad_steps;   // whose gradient or loss is not finite
  double first_bad_step;  // its number; meaningless while there is none
};

// Where a step's sums are noted; null: nowhere.
struct NotedStep {
  const float* sums = nullptr;
  int64_t number = 0;
  StepTotals* totals = nullptr;
};

// The gradient [count] is to be multiplied by `scale`, divided by the weight of the step's seeds where a step is given,
// then shortened to `max_norm` if it is longer (0: never). Finds the factor that does all of it, and adds the step's
// sums to the totals. A step whose loss is not finite is none whose gradient is, either: no update follows.
void scale_gradient(Stream& stream, int64_t count, const float* gradient, float scale, float max_norm,
                    GradientScale* out, const NotedStep& step = {});

// The updates of gnn/optim, on gradient * factor.
struct Bucket {
  int64_t count;
  float* parameter;
  const float* gradient;
  const GradientScale* scale;  // on the device
};
void adam_update(Stream& stream, const Bucket& bucket, float* momentum, float* variance, const AdamOptions& options,
                 int64_t step);
void sgd_update(Stream& stream, const Bucket& bucket, float* momentum_buffer, const SgdOptions& options);
void adagrad_update(Stream& stream, const Bucket& bucket, float* squares, const AdagradOptions& options);

}  // namespace gnn::cuda
