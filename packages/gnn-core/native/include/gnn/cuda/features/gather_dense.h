#pragma once
#include <cstdint>

#include "gnn/device/stream.h"
#include "gnn/features/value_codes.h"

namespace gnn::cuda {

using device::Stream;

// A dense matrix in memory of the device, or in pinned memory of the host that the device reads by itself.
struct FeatureView {
  int64_t num_rows;
  int64_t dim;
  FeatureDtype dtype;
  const void* values;   // [num_rows, dim] of the dtype
  ColumnScale columns;  // null unless int8
};

// out [count, dim] = rows ids[i], each below num_rows, as float32. The CPU's bits.
void gather_dense(Stream& stream, const FeatureView& features, int64_t count, const int32_t* ids, float* out);

}  // namespace gnn::cuda
