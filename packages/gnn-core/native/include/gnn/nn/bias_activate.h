#pragma once
#include <cstdint>

namespace gnn {

enum class Activation { kNone, kRelu, kElu, kLeakyRelu, kTanh };

// out [rows, dim] = act(x + bias). ELU has alpha 1, leaky ReLU slope 0.2. out may be x.
void bias_activate(int64_t rows, int64_t dim, const float* x, const float* bias, Activation activation, float* out);

// dx = dy act'(x + bias), from the result; d_bias its column sums.
void bias_activate_grad(int64_t rows, int64_t dim, const float* out, const float* dy, Activation activation, float* dx,
                        float* d_bias);

}  // namespace gnn
