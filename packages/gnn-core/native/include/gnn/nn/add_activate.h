#pragma once
#include <cstdint>

#include "gnn/nn/bias_activate.h"

namespace gnn {

// out [rows, dim] = act(a + b); of a [rows_a >= rows, dim] the first rows are read. out may be a or b.
void add_activate(int64_t rows, int64_t dim, const float* a, const float* b, Activation activation, float* out);

// db [rows, dim] = dy act'; da [rows_a, dim] is the same, and 0 below.
void add_activate_grad(int64_t rows, int64_t rows_a, int64_t dim, const float* out, const float* dy,
                       Activation activation, float* da, float* db);

}  // namespace gnn
