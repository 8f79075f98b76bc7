#include "gnn/cuda/optim/update.h"

#include <cmath>

#include "gnn/device/total.h"

namespace gnn::cuda {
namespace {

constexpr int64_t kChunk = 1024;  // elements of one warp

// Squares of a chunk in double: a sum that is not finite comes from an element that is not.
struct SquaresOfChunk {
  const float* gradient;
  int64_t count;
  __device__ double operator()(int64_t chunk) const {
    const int64_t begin = chunk * kChunk, end = begin + kChunk < count ? begin + kChunk : count;
    double sum = 0;
    for (int64_t i = begin + lane_index(); i < end; i += 32) sum += static_cast<double>(gradient[i]) * gradient[i];
    return warp_sum(sum);
  }
};

__device__ inline void note_step(const NotedStep& step, bool is_finite) {
  StepTotals& totals = *step.totals;
  for (int i = 0; i < kStepSums; ++i) totals.sums[i] += step.sums[i];
  if (is_finite) return;
  if (totals.num_bad_steps == 0) totals.first_bad_step = static_cast<double>(step.number);
  totals.num_bad_steps += 1;
}

struct ChooseScale {
  float given, max_norm;
  GradientScale* out;
  NotedStep step;
  __device__ void operator()(double squares) const {
    const float scale = step.totals == nullptr ? given : given / step.sums[kWeightSum];
    const float norm = static_cast<float>(sqrt(squares) * fabs(static_cast<double>(scale)));
    const bool is_clipped = max_norm > 0.0f && norm > max_norm;
    const bool is_finite = norm < INFINITY && (step.totals == nullptr || fabsf(step.sums[0]) < INFINITY);
    *out = {is_clipped ? scale * (max_norm / norm) : scale, norm, is_finite};
    if (step.totals != nullptr) note_step(step, is_finite);
  }
};

// A thread per element, in all of these.
struct AdamStep {
  float beta1, beta2, epsilon, weight_decay, keep, step_size, inv_root;
};
__global__ void adam_kernel(Bucket bucket, AdamStep o, float* m, float* v) {
  const int64_t i = thread_index();
  if (i >= bucket.count || !bucket.scale->is_finite) return;
  float* p = bucket.parameter;
  const float g = bucket.gradient[i] * bucket.scale->factor + o.weight_decay * p[i];
  m[i] = o.beta1 * m[i] + (1.0f - o.beta1) * g;
  v[i] = o.beta2 * v[i] + (1.0f - o.beta2) * (g * g);
  p[i] = o.keep * p[i] - o.step_size * m[i] / (sqrtf(v[i]) * o.inv_root + o.epsilon);
}

__global__ void sgd_kernel(Bucket bucket, SgdOptions o, float* b) {
  const int64_t i = thread_index();
  if (i >= bucket.count || !bucket.scale->is_finite) return;
  float* p = bucket.parameter;
  b[i] = o.momentum * b[i] + (bucket.gradient[i] * bucket.scale->factor + o.weight_decay * p[i]);
  p[i] -= o.lr * b[i];
}

__global__ void adagrad_kernel(Bucket bucket, AdagradOptions o, float* s) {
  const int64_t i = thread_index();
  if (i >= bucket.count || !bucket.scale->is_finite) return;
  float* p = bucket.parameter;
  const float g = bucket.gradient[i] * bucket.scale->factor + o.weight_decay * p[i];
  s[i] += g * g;
  p[i] -= o.lr * g / (sqrtf(s[i]) + o.epsilon);
}

}  // namespace

void scale_gradient(Stream& stream, int64_t count, const float* gradient, float scale, float max_norm,
                    GradientScale* out, const NotedStep& step) {
  const int64_t chunks = (count + kChunk - 1) / kChunk;
  sum_items(stream, chunks, SquaresOfChunk{gradient, count}, ChooseScale{scale, max_norm, out, step});
}

void adam_update(Stream& stream, const Bucket& bucket, float* momentum, float* variance, const AdamOptions& o,
                 int64_t step) {
  if (bucket.count == 0) return;
  const double t = static_cast<double>(step);
  const AdamStep now{o.beta1,
                     o.beta2,
                     o.epsilon,
                     o.decoupled ? 0.0f : o.weight_decay,
                     o.decoupled ? 1.0f - o.lr * o.weight_decay : 1.0f,
                     static_cast<float>(o.lr / (1.0 - std::pow(static_cast<double>(o.beta1), t))),
                     static_cast<float>(1.0 / std::sqrt(1.0 - std::pow(static_cast<double>(o.beta2), t)))};
  device::launch(adam_kernel, device::grid_for(bucket.count), stream, bucket, now, momentum, variance);
}

void sgd_update(Stream& stream, const Bucket& bucket, float* momentum_buffer, const SgdOptions& options) {
  if (bucket.count == 0) return;
  device::launch(sgd_kernel, device::grid_for(bucket.count), stream, bucket, options, momentum_buffer);
}

void adagrad_update(Stream& stream, const Bucket& bucket, float* squares, const AdagradOptions& options) {
  if (bucket.count == 0) return;
  device::launch(adagrad_kernel, device::grid_for(bucket.count), stream, bucket, options, squares);
}

}  // namespace gnn::cuda
