#pragma once
#include "gnn/cuda/optim/update.h"
#include "gnn/optim/sparse_update.h"

namespace gnn::cuda {

// A step whose gradient the rows' belongs to: it is divided by the weight of the step's seeds, never clipped, and where
// the step is not finite all rows stay as they are. Null: a gradient that is taken as it is.
struct RowStep {
  const float* sums = nullptr;  // [kStepSums]
  const GradientScale* scale = nullptr;
};

// The twins of gnn/optim/sparse_update.h: ids are distinct, rows that are not named keep their bits.
void sparse_adagrad_update(Stream& stream, const SparseGradient& gradient, float* parameter, float* squares,
                           const AdagradOptions& options, const RowStep& step = {});
void sparse_adam_update(Stream& stream, const SparseAdamUpdate& op, const RowStep& step = {});

}  // namespace gnn::cuda
