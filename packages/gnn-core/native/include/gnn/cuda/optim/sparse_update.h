#pragma once
#include "gnn/device/stream.h"
#include "gnn/optim/sparse_update.h"

namespace gnn::cuda {

using device::Stream;

// The twins of gnn/optim/sparse_update.h: ids are distinct, rows that are not named keep their bits.
void sparse_adagrad_update(Stream& stream, const SparseGradient& gradient, float* parameter, float* squares,
                           const AdagradOptions& options);
void sparse_adam_update(Stream& stream, const SparseAdamUpdate& op);

}  // namespace gnn::cuda
