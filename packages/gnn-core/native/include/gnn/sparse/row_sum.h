#pragma once
#include <cstdint>

namespace gnn {

// out[d] += sum over i < count of x[indices[i] * dim + d], in a fixed order.
void sum_rows(const float* x, int64_t dim, const int32_t* indices, int64_t count, float* out);

// out[d] += sum over i < count of weights[i] * x[indices[i] * dim + d].
void weighted_sum_rows(const float* x, int64_t dim, const int32_t* indices, const float* weights, int64_t count,
                       float* out);

}  // namespace gnn
