#pragma once
// Optimizer updates of some rows of a table; all others keep their bits.
#include <cstdint>

#include "gnn/optim/adagrad.h"
#include "gnn/optim/adam.h"

namespace gnn {

// The rows to update and their gradients [count, dim]; ids are distinct.
struct SparseGradient {
  const int32_t* ids;
  int64_t count;
  int64_t dim;
  const float* rows;
};

// parameter and squares: [num_rows, dim]
void sparse_adagrad_update(const SparseGradient& gradient, float* parameter, float* squares,
                           const AdagradOptions& options);

// steps [num_rows]: updates of each row so far; a row's bias correction counts its own, as DGL's SparseAdam does.
void sparse_adam_update(const SparseGradient& gradient, float* parameter, float* momentum, float* variance,
                        int32_t* steps, const AdamOptions& options);

}  // namespace gnn
