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

void sparse_adam_update(const SparseAdamUpdate& op) {
  const int64_t dim = op.gradient.dim;
  for (int64_t i = 0; i < op.gradient.count; ++i) {
    const int32_t id = op.gradient.ids[i];
    const int64_t at = int64_t{id} * dim;
    adam_update({.count = dim,
                 .parameter = op.parameter + at,
                 .momentum = op.momentum + at,
                 .variance = op.variance + at,
                 .gradient = op.gradient.rows + i * dim,
                 .options = op.options,
                 .step = ++op.steps[id]});
  }
}

}  // namespace gnn
