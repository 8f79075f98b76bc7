#pragma once
#include <cstdint>

#include "gnn/device/stream.h"

namespace gnn::cuda {

using device::Stream;

// Sums are made in double and in an order that is always the same. Those of columns: gnn/cuda/dense/rows.h.
void sum_all(Stream& stream, int64_t count, const float* x, float* sum);
// sums [rows] of x [rows, columns]
void row_sums(Stream& stream, int64_t rows, int64_t columns, const float* x, float* sums);

// out [rows, columns] = e^x / the sum of e^x over the row
void softmax_rows(Stream& stream, int64_t rows, int64_t columns, const float* x, float* out);

}  // namespace gnn::cuda
