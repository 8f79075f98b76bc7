#include <algorithm>
#include <cmath>

#include "gnn/dense/linear.h"
#include "gnn/nn/bias_activate.h"
#include "gnn/runtime/isa.h"
#include "gnn/runtime/lanes.h"
#include "gnn/runtime/parallel.h"

namespace gnn {
namespace {

constexpr int64_t kRows = 512;
constexpr float kLeakySlope = 0.2f;

GNN_INLINE Floats elu_lanes(const Floats& x) {
  const Ints is_positive = x > 0.0f;
  // The exponential of a positive number may overflow; it is not taken.
  const Floats below = (Floats)((Ints)x & ~is_positive);
  return (Floats)(((Ints)x & is_positive) | ((Ints)expm1_lanes(below) & ~is_positive));
}

GNN_INLINE void elu(int64_t count, float* x) {
  int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) store_lanes(elu_lanes(load_lanes(x + i)), x + i);
  if (i == count) return;
  float rest[kLanes] = {};
  std::copy(x + i, x + count, rest);
  store_lanes(elu_lanes(load_lanes(rest)), rest);
  std::copy(rest, rest + (count - i), x + i);
}

GNN_MULTIVERSION void activate(int64_t count, Activation activation, float* x) {
  switch (activation) {
    case Activation::kRelu:
      for (int64_t i = 0; i < count; ++i) x[i] = x[i] > 0.0f ? x[i] : 0.0f;
      break;
    case Activation::kElu: return elu(count, x);
    case Activation::kLeakyRelu:
      for (int64_t i = 0; i < count; ++i) x[i] = x[i] > 0.0f ? x[i] : kLeakySlope * x[i];
      break;
    case Activation::kTanh:
      for (int64_t i = 0; i < count; ++i) x[i] = std::tanh(x[i]);
      break;
    default: break;
  }
}

// dx = dy act', from the result
GNN_MULTIVERSION void activate_grad(int64_t count, const float* __restrict out, const float* __restrict dy,
                                    Activation activation, float* __restrict dx) {
  switch (activation) {
    case Activation::kRelu:
      for (int64_t i = 0; i < count; ++i) dx[i] = out[i] > 0.0f ? dy[i] : 0.0f;
      break;
    case Activation::kElu:
      for (int64_t i = 0; i < count; ++i) dx[i] = dy[i] * (out[i] > 0.0f ? 1.0f : out[i] + 1.0f);
      break;
    case Activation::kLeakyRelu:
      for (int64_t i = 0; i < count; ++i) dx[i] = dy[i] * (out[i] > 0.0f ? 1.0f : kLeakySlope);
      break;
    case Activation::kTanh:
      for (int64_t i = 0; i < count; ++i) dx[i] = dy[i] * (1.0f - out[i] * out[i]);
      break;
    default: std::copy(dy, dy + count, dx);
  }
}

// out may be x.
GNN_MULTIVERSION void add_bias(int64_t rows, int64_t dim, const float* x, const float* bias, float* out) {
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t d = 0; d < dim; ++d) out[row * dim + d] = x[row * dim + d] + bias[d];
  }
}

}  // namespace

void bias_activate(const BiasActivate& op) {
  const auto& [rows, dim, x, bias, activation, out] = op;
  parallel_for(rows, kRows, [&](int64_t begin, int64_t end) {
    add_bias(end - begin, dim, x + begin * dim, bias, out + begin * dim);
    activate((end - begin) * dim, activation, out + begin * dim);
  });
}

void bias_activate_grad(const BiasActivateGrad& op) {
  const auto& [rows, dim, out, dy, activation, dx, d_bias] = op;
  parallel_for(rows * dim, kRows * 64, [&](int64_t begin, int64_t end) {
    activate_grad(end - begin, out + begin, dy + begin, activation, dx + begin);
  });
  masked_bias_grad({.rows = rows, .dim = dim, .dy = dx, .d_bias = d_bias});
}

}  // namespace gnn
