#pragma once
#include <cstdint>
#include <initializer_list>

#include "gnn/features/row_source.h"

namespace gnn {

// out [rows, out_dim] = act(x weight + bias); act is ReLU or nothing. A null bias is 0.
void linear(int64_t rows, int64_t out_dim, const RowSource& x, const float* weight, const float* bias, bool with_relu,
            float* out);

// Gradients of linear. `out` is its result, read for the ReLU mask only. dx may be null.
void linear_grad(int64_t rows, int64_t out_dim, const RowSource& x, const float* weight, const float* out,
                 const float* dy, bool with_relu, float* dx, float* d_weight, float* d_bias);

// masked = dy where out > 0 (out null: masked is not written) and d_bias = column sums of it.
void masked_bias_grad(int64_t rows, int64_t dim, const float* dy, const float* out, float* masked, float* d_bias);

// One weight's gradient: d_weight [in_dim, out_dim] = transpose(x) g for x [rows, in_dim].
struct WeightGradient {
  const RowSource& x;
  float* d_weight;
};

// Behind the activation g = dy where out > 0 (out null: g = dy): the gradients of up to two weights that met at the
// output and of its bias (not when d_bias is null), in one pass over dy. `masked` receives g when it is not null.
void weight_gradients(int64_t rows, int64_t out_dim, const float* dy, const float* out, float* masked,
                      std::initializer_list<WeightGradient> weights, float* d_bias);

}  // namespace gnn
