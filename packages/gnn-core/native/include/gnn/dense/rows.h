#pragma once
// Elementwise work on rows of a row-major matrix, on the calling thread.
#include <cstdint>

namespace gnn {

void fill_rows(int64_t rows, int64_t dim, const float* row, float* out);
void relu(int64_t count, float* x);
// masked[i] = dy[i] where out[i] > 0, else 0
void relu_grad(int64_t count, const float* dy, const float* out, float* masked);
void add_column_sums(int64_t rows, int64_t dim, const float* x, float* sums);
void scale_row(int64_t dim, float scale, const float* x, float* out);

}  // namespace gnn
