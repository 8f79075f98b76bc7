#pragma once
#include <cstdint>

namespace gnn {

enum class Activation { kNone, kRelu, kElu, kLeakyRelu, kTanh };

// out = act(x + bias). ELU has alpha 1, leaky ReLU slope 0.2.
struct BiasActivate {
  int64_t rows;
  int64_t dim;
  const float* x;     // [rows, dim]
  const float* bias;  // [dim]
  Activation activation;
  float* out;         // [rows, dim]; may be x
};
void bias_activate(const BiasActivate& op);

// dx = dy act'(x + bias), from the result; d_bias its column sums.
struct BiasActivateGrad {
  int64_t rows;
  int64_t dim;
  const float* out;  // [rows, dim]
  const float* dy;   // [rows, dim]
  Activation activation;
  float* dx;         // [rows, dim]
  float* d_bias;     // [dim]
};
void bias_activate_grad(const BiasActivateGrad& op);

}  // namespace gnn
