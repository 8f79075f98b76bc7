#include "gnn/cuda/optim/sparse_update.h"

#include <cmath>

#include "gnn/device/warp.h"

namespace gnn::cuda {
namespace {

__device__ inline bool changes_nothing(const RowStep& step) {
  return step.scale != nullptr && !step.scale->is_finite;
}
__device__ inline float weight_of(const RowStep& step) { return step.sums == nullptr ? 1.0f : step.sums[kWeightSum]; }

// A thread per element of the gradient.
__global__ void sparse_adagrad_kernel(SparseGradient gradient, float* parameter, float* squares, AdagradOptions o,
                                      RowStep step) {
  const int64_t i = thread_index(), dim = gradient.dim;
  if (i >= gradient.count * dim || changes_nothing(step)) return;
  const int64_t at = gradient.ids[i / dim] * dim + i % dim;
  const float p = parameter[at], g = gradient.rows[i] / weight_of(step) + o.weight_decay * p, s = squares[at] + g * g;
  squares[at] = s;
  parameter[at] = p - o.lr * g / (sqrtf(s) + o.epsilon);
}

// A warp per row, its lanes side by side in the columns.
__global__ void __launch_bounds__(kRowWarps * 32) sparse_adam_kernel(SparseAdamUpdate op, RowStep step) {
  const int64_t row = warp_index(), dim = op.gradient.dim;
  if (row >= op.gradient.count || changes_nothing(step)) return;
  const AdamOptions& o = op.options;
  const int32_t id = op.gradient.ids[row], count = op.steps[id] + 1;
  __syncwarp();  // every lane has read the count
  if (lane_index() == 0) op.steps[id] = count;
  const auto step_size =
      static_cast<float>(o.lr / (1.0 - pow(static_cast<double>(o.beta1), static_cast<double>(count))));
  const auto inv_root =
      static_cast<float>(1.0 / sqrt(1.0 - pow(static_cast<double>(o.beta2), static_cast<double>(count))));
  const float weight = weight_of(step);
  const float added = o.decoupled ? 0.0f : o.weight_decay, keep = o.decoupled ? 1.0f - o.lr * o.weight_decay : 1.0f;
  for (int64_t d = lane_index(); d < dim; d += 32) {
    const int64_t at = id * dim + d;
    float &p = op.parameter[at], &m = op.momentum[at], &v = op.variance[at];
    const float g = op.gradient.rows[row * dim + d] / weight + added * p;
    m = o.beta1 * m + (1.0f - o.beta1) * g;
    v = o.beta2 * v + (1.0f - o.beta2) * (g * g);
    p = keep * p - step_size * m / (sqrtf(v) * inv_root + o.epsilon);
  }
}

}  // namespace

void sparse_adagrad_update(Stream& stream, const SparseGradient& gradient, float* parameter, float* squares,
                           const AdagradOptions& options, const RowStep& step) {
  const int64_t count = gradient.count * gradient.dim;
  if (count == 0) return;
  device::launch(sparse_adagrad_kernel, device::grid_for(count), stream, gradient, parameter, squares, options, step);
}

void sparse_adam_update(Stream& stream, const SparseAdamUpdate& op, const RowStep& step) {
  if (op.gradient.count > 0) device::launch(sparse_adam_kernel, grid_of_warps(op.gradient.count), stream, op, step);
}

}  // namespace gnn::cuda
