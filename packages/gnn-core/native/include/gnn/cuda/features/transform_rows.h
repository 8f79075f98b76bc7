#pragma once
#include "gnn/device/stream.h"
#include "gnn/features/transform_rows.h"

namespace gnn::cuda {

using device::Stream;

// The twins of gnn/features/transform_rows.h, with the CPU's bits.
void row_normalize(Stream& stream, const RowsView& rows);
void standardize(Stream& stream, const RowsView& rows, const float* mean, const float* scale);

}  // namespace gnn::cuda
