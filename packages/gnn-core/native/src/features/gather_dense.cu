#include "gnn/cuda/features/gather_dense.h"

#include <type_traits>

#include "gnn/cuda/nn/drop_group.h"
#include "gnn/cuda/nn/dropout.h"
#include "gnn/cuda/sparse/gather_rows.h"
#include "gnn/device/host_memory.h"
#include "gnn/device/warp.h"

namespace gnn::cuda {
namespace {

// Shifts exponent and fraction into place, then multiplies by 2^112, which is exact for all codes.
__device__ inline float decoded(uint16_t code, const ColumnScale&, int64_t) {
  const uint32_t magnitude = static_cast<uint32_t>(code & 0x7fff) << 13;
  const bool is_finite = (code & 0x7c00) != 0x7c00;
  const uint32_t bits = is_finite ? __float_as_uint(__uint_as_float(magnitude) * 0x1p112f) : 0x7f800000u | magnitude;
  return __uint_as_float(bits | static_cast<uint32_t>(code & 0x8000) << 16);
}

// float64 holds scale times step exactly, so that a fused multiply-add gives the same sum.
__device__ inline float decoded(int8_t code, const ColumnScale& columns, int64_t d) {
  return static_cast<float>(columns.offset[d] + static_cast<double>(columns.scale[d]) * (code + 128));
}

__device__ inline float decoded(float value, const ColumnScale&, int64_t) { return value; }

// The rows that hold row `id`: the last that begin at or before it.
__device__ inline const RowsAt& rows_with(const FeatureView& features, int64_t id) {
  int64_t low = 0, high = features.num_elsewhere - 1;
  while (low < high) {
    const int64_t middle = (low + high + 1) / 2;
    if (features.elsewhere[middle].first_row <= id) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return features.elsewhere[low];
}

template <typename Code>
__device__ inline const Code* row_of(const FeatureView& features, int64_t id) {
  const auto* const held = static_cast<const Code*>(features.values);
  if (features.elsewhere == nullptr) return held + id * features.dim;
  const int32_t slot = features.slots == nullptr ? -1 : features.slots[id];
  if (slot >= 0) return held + slot * features.dim;
  const RowsAt& rows = rows_with(features, id);
  const auto* const values = static_cast<const Code*>(rows.values) + (id - rows.first_row) * features.dim;
  return features.are_shares ? values : device::host_memory(values, features.dim);
}

// Elements that a lane reads before it writes the first: its reads are under way together.
constexpr int kAhead = 4;

// A warp per row, its lanes side by side in the columns: rows of the host come over the bus in whole sectors.
template <typename Code>
__global__ void __launch_bounds__(kRowWarps * 32)
    gather_dense_kernel(FeatureView features, int64_t count, const int32_t* ids, float* out) {
  const int64_t i = warp_index(), dim = features.dim;
  if (i >= count) return;
  const Code* row = row_of<Code>(features, ids[i]);
  for (int64_t first = lane_index(); first < dim; first += 32 * kAhead) {
    Code codes[kAhead];
#pragma unroll
    for (int k = 0; k < kAhead; ++k) codes[k] = first + 32 * k < dim ? row[first + 32 * k] : Code{};
#pragma unroll
    for (int k = 0; k < kAhead; ++k) {
      const int64_t d = first + 32 * k;
      if (d < dim) out[i * dim + d] = decoded(codes[k], features.columns, d);
    }
  }
}

// Sixteen threads per 128 columns of a row, of which some elements are dropped.
template <typename Code>
__global__ void gather_dropped_kernel(FeatureView features, int64_t count, const int32_t* ids, DropoutMask mask,
                                      int64_t per_row, float* out) {
  const int64_t i = thread_index() / per_row, dim = features.dim;
  if (i >= count) return;
  const Code* row = row_of<Code>(features, ids[i]);
  const auto value = [&](int64_t d) { return decoded(row[d], features.columns, d); };
  drop_group(mask, ids[i], thread_index() % per_row, dim, value, out + i * dim);
}

// A warp per row, as above.
template <typename Code>
__global__ void __launch_bounds__(kRowWarps * 32)
    copy_stored_rows_kernel(FeatureView features, int64_t count, const int32_t* ids, Code* out) {
  const int64_t i = warp_index(), dim = features.dim;
  if (i >= count) return;
  const Code* row = row_of<Code>(features, ids[i]);
  for (int64_t d = lane_index(); d < dim; d += 32) out[i * dim + d] = row[d];
}

template <typename Code>
void copy_codes(Stream& stream, const FeatureView& features, int64_t count, const int32_t* ids, void* out) {
  device::launch(copy_stored_rows_kernel<Code>, grid_of_warps(count), stream, features, count, ids,
                 static_cast<Code*>(out));
}

template <typename Code>
void gather_codes(Stream& stream, const FeatureView& features, int64_t count, const int32_t* ids, float* out,
                  const GatherDropout& dropout) {
  if (dropout.threshold > 0 && features.elsewhere == nullptr) {
    const int64_t per_row = threads_per_row(features.dim);
    return device::launch(gather_dropped_kernel<Code>, device::grid_for(count * per_row), stream, features, count, ids,
                          mask_of(dropout.key, dropout.threshold), per_row, out);
  }
  if constexpr (std::is_same_v<Code, float>) {
    // Stored as they are used, and all of them here: their rows are only copied.
    if (features.elsewhere == nullptr) {
      return gather_rows(stream, count, features.dim, static_cast<const float*>(features.values), ids, out);
    }
  }
  device::launch(gather_dense_kernel<Code>, grid_of_warps(count), stream, features, count, ids, out);
  if (dropout.threshold > 0) {
    dropout_rows(stream, {count, features.dim, out, ids, dropout.key, dropout.threshold, out});
  }
}

}  // namespace

void gather_dense(Stream& stream, const FeatureView& features, int64_t count, const int32_t* ids, float* out,
                  const GatherDropout& dropout) {
  if (count == 0 || features.dim == 0) return;
  const auto gather = features.dtype == FeatureDtype::float32   ? gather_codes<float>
                      : features.dtype == FeatureDtype::float16 ? gather_codes<uint16_t>
                                                                : gather_codes<int8_t>;
  gather(stream, features, count, ids, out, dropout);
}

void copy_stored_rows(Stream& stream, const FeatureView& features, int64_t count, const int32_t* ids, void* out) {
  if (count == 0) return;
  const auto copy = features.dtype == FeatureDtype::float32   ? copy_codes<float>
                    : features.dtype == FeatureDtype::float16 ? copy_codes<uint16_t>
                                                              : copy_codes<int8_t>;
  copy(stream, features, count, ids, out);
}

}  // namespace gnn::cuda
