#pragma once
#include <cstdint>

#include "gnn/nn/bias_activate.h"

namespace gnn {

// out = act(a + b)
struct AddActivate {
  int64_t rows;
  int64_t dim;
  const float* a;  // [at least rows, dim]; the first rows are read
  const float* b;  // [rows, dim]
  Activation activation;
  float* out;      // [rows, dim]; may be a or b
};
void add_activate(const AddActivate& op);

// db = dy act'; da is the same, and 0 below.
struct AddActivateGrad {
  int64_t rows;
  int64_t rows_of_a;
  int64_t dim;
  const float* out;  // [rows, dim]
  const float* dy;   // [rows, dim]
  Activation activation;
  float* da;         // [rows_of_a, dim]
  float* db;         // [rows, dim]
};
void add_activate_grad(const AddActivateGrad& op);

}  // namespace gnn
