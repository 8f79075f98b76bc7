#pragma once
#include <cstdint>

#include "gnn/features/row_source.h"

namespace gnn {

// out[d] += sum over i < count of x[indices[i] * dim + d], in a fixed order.
void sum_rows(const float* x, int64_t dim, const int32_t* indices, int64_t count, float* out);

// out[d] += sum over i < count of weights[i] * x[indices[i] * dim + d].
void weighted_sum_rows(const float* x, int64_t dim, const int32_t* indices, const float* weights, int64_t count,
                       float* out);

// A list of sums, one per segment [indptr[i], indptr[i + 1]) of `indices`.
struct SegmentSums {
  const int32_t* indptr;
  const int32_t* indices;
  const float* entry_weights = nullptr;  // by position in `indices`; null: 1
  const float* row_weights = nullptr;    // by row of x; null: 1
  bool mean = false;                     // divides by the length of the segment; an empty one is 0
  int64_t accumulate_until = 0;          // segments below it are added to what is there
};

// out[s - begin] = the sum of segment s, for s in [begin, end). Rows of x are read undropped.
void sum_segments(const RowSource& x, const SegmentSums& sums, int64_t begin, int64_t end, float* out);

}  // namespace gnn
