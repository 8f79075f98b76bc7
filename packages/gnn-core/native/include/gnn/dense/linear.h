#pragma once
#include <cstdint>
#include <initializer_list>

#include "gnn/features/row_source.h"

namespace gnn {

// out [rows, out_dim] = act(x weight + bias); act is ReLU or nothing. A null bias is 0.
struct Linear {
  int64_t rows;
  int64_t out_dim;
  const RowSource& x;           // [rows, in_dim]
  const float* weight;          // [in_dim, out_dim]
  const float* bias = nullptr;  // [out_dim]
  bool with_relu = false;
  float* out;                   // [rows, out_dim]
};
void linear(const Linear& op);

struct LinearGrad {
  int64_t rows;
  int64_t out_dim;
  const RowSource& x;
  const float* weight;
  const float* out;     // the result of linear, read for the ReLU mask only
  const float* dy;      // [rows, out_dim]
  bool with_relu = false;
  float* dx = nullptr;  // [rows, in_dim]; null: not needed
  float* d_weight;
  float* d_bias;
};
void linear_grad(const LinearGrad& op);

// masked = dy where out > 0 (out null: masked is not written) and d_bias = column sums of it.
struct MaskedBiasGrad {
  int64_t rows;
  int64_t dim;
  const float* dy;             // [rows, dim]
  const float* out = nullptr;  // [rows, dim]
  float* masked = nullptr;     // [rows, dim]
  float* d_bias;               // [dim]
};
void masked_bias_grad(const MaskedBiasGrad& op);

// One weight's gradient: d_weight [in_dim, out_dim] = transpose(x) g for x [rows, in_dim].
struct WeightGradient {
  const RowSource& x;
  float* d_weight;
};

// Behind the activation g = dy where out > 0 (out null: g = dy): the gradients of up to two weights that met at the
// output and of its bias (not when d_bias is null), in one pass over dy. `masked` receives g when it is not null.
struct WeightGradients {
  int64_t rows;
  int64_t out_dim;
  const float* dy;             // [rows, out_dim]
  const float* out = nullptr;  // [rows, out_dim]
  float* masked = nullptr;     // [rows, out_dim]
  std::initializer_list<WeightGradient> weights;
  float* d_bias = nullptr;     // [out_dim]
};
void weight_gradients(const WeightGradients& op);

}  // namespace gnn
