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
  const float* entry_weights;  // by position in `indices`; null: 1
  const float* row_weights;    // by row of x; null: 1
};

// out[s - begin] = scale_s * (weighted sum of the rows of segment s), + out[s - begin] where s < accumulate_until, for
// s in [begin, end). scale_s is 1 / length with `mean` (0 for an empty segment), else 1. Rows of x are read undropped.
void sum_segments(const RowSource& x, const SegmentSums& sums, bool mean, int64_t begin, int64_t end,
                  int64_t accumulate_until, float* out);

}  // namespace gnn
