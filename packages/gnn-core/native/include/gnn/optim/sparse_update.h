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

// A row's bias correction counts its own updates, as DGL's SparseAdam does.
struct SparseAdamUpdate {
  SparseGradient gradient;
  float* parameter;  // [num_rows, dim]
  float* momentum;   // [num_rows, dim]
  float* variance;   // [num_rows, dim]
  int32_t* steps;    // [num_rows] updates of each row so far, counted up
  AdamOptions options;
};
void sparse_adam_update(const SparseAdamUpdate& op);

}  // namespace gnn
