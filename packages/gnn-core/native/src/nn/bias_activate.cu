#include "gnn/cuda/nn/bias_activate.h"

#include <cmath>

#include "gnn/device/column_sums.h"

namespace gnn::cuda {
namespace {

constexpr float kLeakySlope = 0.2f;

__device__ inline float activated(Activation activation, float x) {
  switch (activation) {
    case Activation::kRelu: return x > 0.0f ? x : 0.0f;
    case Activation::kElu: return x > 0.0f ? x : expm1f(x);
    case Activation::kLeakyRelu: return x > 0.0f ? x : kLeakySlope * x;
    case Activation::kTanh: return tanhf(x);
    default: return x;
  }
}

// act' from the result.
__device__ inline float slope_of(Activation activation, float out) {
  switch (activation) {
    case Activation::kRelu: return out > 0.0f ? 1.0f : 0.0f;
    case Activation::kElu: return out > 0.0f ? 1.0f : out + 1.0f;
    case Activation::kLeakyRelu: return out > 0.0f ? 1.0f : kLeakySlope;
    case Activation::kTanh: return 1.0f - out * out;
    default: return 1.0f;
  }
}

// A thread per element, in all of these.
__global__ void bias_activate_kernel(BiasActivate op) {
  const int64_t i = thread_index();
  if (i < op.rows * op.dim) op.out[i] = activated(op.activation, op.x[i] + op.bias[i % op.dim]);
}

__global__ void add_activate_kernel(AddActivate op) {
  const int64_t i = thread_index();
  if (i < op.rows * op.dim) op.out[i] = activated(op.activation, op.a[i] + op.b[i]);
}

__global__ void add_activate_grad_kernel(AddActivateGrad op) {
  const int64_t i = thread_index();
  if (i >= op.rows_of_a * op.dim) return;
  const bool is_of_b = i < op.rows * op.dim;
  const float g = is_of_b ? op.dy[i] * slope_of(op.activation, op.out[i]) : 0.0f;
  op.da[i] = g;
  if (is_of_b) op.db[i] = g;
}

struct ActivateAndSum {
  BiasActivateGrad op;
  __device__ void operator()(int64_t row, int64_t column, float (&sums)[1]) const {
    const int64_t at = row * op.dim + column;
    const float g = op.dy[at] * slope_of(op.activation, op.out[at]);
    op.dx[at] = g;
    sums[0] += g;
  }
};

}  // namespace

void bias_activate(Stream& stream, const BiasActivate& op) {
  const int64_t count = op.rows * op.dim;
  if (count > 0) device::launch(bias_activate_kernel, device::grid_for(count), stream, op);
}

void bias_activate_grad(Stream& stream, const BiasActivateGrad& op) {
  sum_columns<float, 1>(stream, op.rows, op.dim, ActivateAndSum{op}, StoreSum{op.d_bias});
}

void add_activate(Stream& stream, const AddActivate& op) {
  const int64_t count = op.rows * op.dim;
  if (count > 0) device::launch(add_activate_kernel, device::grid_for(count), stream, op);
}

void add_activate_grad(Stream& stream, const AddActivateGrad& op) {
  const int64_t count = op.rows_of_a * op.dim;
  if (count > 0) device::launch(add_activate_grad_kernel, device::grid_for(count), stream, op);
}

}  // namespace gnn::cuda
