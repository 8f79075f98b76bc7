#pragma once
#include <cstdint>

#include "gnn/device/stream.h"

namespace gnn::cuda {

using device::Stream;

void fill(Stream& stream, int64_t count, float value, float* out);
// out [rows, dim]: every row is `row` [dim].
void fill_rows(Stream& stream, int64_t rows, int64_t dim, const float* row, float* out);

// Some columns of each row, from a place of one matrix to a place of another.
struct CopyColumns {
  int64_t rows;
  int64_t columns;
  const float* x;           // its first column that is copied
  int64_t x_dim;            // of a whole row
  float* out;
  int64_t out_dim;
  bool accumulate = false;  // adds to out
};
void copy_columns(Stream& stream, const CopyColumns& op);

// sums [dim] of x [rows, dim]; always the same bits.
void column_sums(Stream& stream, int64_t rows, int64_t dim, const float* x, float* sums);

}  // namespace gnn::cuda
