#include "gnn/nn/bias_activate.h"

#include <cmath>

#include "gnn/dense/linear.h"
#include "gnn/runtime/parallel.h"

namespace gnn {
namespace {

constexpr int64_t kRows = 512;
constexpr float kLeakySlope = 0.2f;

float activate(float x, Activation activation) {
  switch (activation) {
    case Activation::kRelu: return x > 0.0f ? x : 0.0f;
    case Activation::kElu: return x > 0.0f ? x : std::expm1(x);
    case Activation::kLeakyRelu: return x > 0.0f ? x : kLeakySlope * x;
    case Activation::kTanh: return std::tanh(x);
    default: return x;
  }
}

float slope(float out, Activation activation) {
  switch (activation) {
    case Activation::kRelu: return out > 0.0f ? 1.0f : 0.0f;
    case Activation::kElu: return out > 0.0f ? 1.0f : out + 1.0f;
    case Activation::kLeakyRelu: return out > 0.0f ? 1.0f : kLeakySlope;
    case Activation::kTanh: return 1.0f - out * out;
    default: return 1.0f;
  }
}

}  // namespace

void bias_activate(int64_t rows, int64_t dim, const float* x, const float* bias, Activation activation, float* out) {
  parallel_for(rows, kRows, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      for (int64_t d = 0; d < dim; ++d) out[row * dim + d] = activate(x[row * dim + d] + bias[d], activation);
    }
  });
}

void bias_activate_grad(int64_t rows, int64_t dim, const float* out, const float* dy, Activation activation, float* dx,
                        float* d_bias) {
  parallel_for(rows * dim, kRows * 64, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) dx[i] = dy[i] * slope(out[i], activation);
  });
  masked_bias_grad(rows, dim, dx, nullptr, nullptr, d_bias);
}

}  // namespace gnn
