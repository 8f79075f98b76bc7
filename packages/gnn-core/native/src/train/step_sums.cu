#include "gnn/cuda/train/step_sums.h"

#include <cmath>

#include "gnn/device/kernel.h"

namespace gnn::cuda {
namespace {

// One thread, in both of these.
__global__ void round_sum_kernel(const double* sum, float* to) { *to = static_cast<float>(*sum); }

__global__ void add_step_kernel(const float* sums, int64_t step, GradientScale* scale, StepTotals* totals) {
  for (int i = 0; i < kStepSums; ++i) totals->sums[i] += sums[i];
  if (!(fabsf(sums[0]) < INFINITY)) scale->is_finite = 0;
  if (scale->is_finite) return;
  if (totals->num_bad_steps == 0) totals->first_bad_step = static_cast<double>(step);
  totals->num_bad_steps += 1;
}

}  // namespace

void round_sum(Stream& stream, const double* sum, float* to) { device::launch(round_sum_kernel, {1, 1}, stream, sum, to); }

void add_step(Stream& stream, const float* sums, int64_t step, GradientScale* scale, StepTotals* totals) {
  device::launch(add_step_kernel, {1, 1}, stream, sums, step, scale, totals);
}

}  // namespace gnn::cuda
