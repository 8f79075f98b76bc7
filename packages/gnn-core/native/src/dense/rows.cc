#include <cstring>

#include "gnn/dense/rows.h"
#include "gnn/runtime/isa.h"

namespace gnn {

void fill_rows(int64_t rows, int64_t dim, const float* row, float* out) {
  for (int64_t i = 0; i < rows; ++i) std::memcpy(out + i * dim, row, static_cast<size_t>(dim) * sizeof(float));
}

GNN_MULTIVERSION void relu(int64_t count, float* x) {
  for (int64_t i = 0; i < count; ++i) x[i] = x[i] > 0.0f ? x[i] : 0.0f;
}

GNN_MULTIVERSION void relu_grad(int64_t count, const float* dy, const float* out, float* masked) {
  for (int64_t i = 0; i < count; ++i) masked[i] = out[i] > 0.0f ? dy[i] : 0.0f;
}

GNN_MULTIVERSION void add_column_sums(int64_t rows, int64_t dim, const float* x, float* sums) {
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t d = 0; d < dim; ++d) sums[d] += x[i * dim + d];
  }
}

GNN_MULTIVERSION void scale_row(int64_t dim, float scale, const float* x, float* out) {
  for (int64_t d = 0; d < dim; ++d) out[d] = scale * x[d];
}

}  // namespace gnn
