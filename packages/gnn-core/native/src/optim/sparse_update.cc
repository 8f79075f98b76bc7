#include "gnn/optim/sparse_update.h"

namespace gnn {

void sparse_adagrad_update(const SparseGradient& gradient, float* parameter, float* squares,
                           const AdagradOptions& options) {
  const int64_t dim = gradient.dim;
  for (int64_t i = 0; i < gradient.count; ++i) {
    const int64_t at = int64_t{gradient.ids[i]} * dim;
    adagrad_update(dim, parameter + at, squares + at, gradient.rows + i * dim, options);
  }
}

void sparse_adam_update(const SparseGradient& gradient, float* parameter, float* momentum, float* variance,
                        int32_t* steps, const AdamOptions& options) {
  const int64_t dim = gradient.dim;
  for (int64_t i = 0; i < gradient.count; ++i) {
    const int32_t id = gradient.ids[i];
    const int64_t at = int64_t{id} * dim;
    adam_update(dim, parameter + at, momentum + at, variance + at, gradient.rows + i * dim, options, ++steps[id]);
  }
}

}  // namespace gnn
