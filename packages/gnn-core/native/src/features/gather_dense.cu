#include "gnn/cuda/features/gather_dense.h"

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

// A warp per row, its lanes side by side in the columns.
template <typename Code>
__global__ void __launch_bounds__(kRowWarps * 32)
    gather_dense_kernel(FeatureView features, int64_t count, const int32_t* ids, float* out) {
  const int64_t i = warp_index(), dim = features.dim;
  if (i >= count) return;
  const Code* row = static_cast<const Code*>(features.values) + ids[i] * dim;
  for (int64_t d = lane_index(); d < dim; d += 32) out[i * dim + d] = decoded(row[d], features.columns, d);
}

}  // namespace

void gather_dense(Stream& stream, const FeatureView& features, int64_t count, const int32_t* ids, float* out) {
  if (count == 0) return;
  const auto kernel = features.dtype == FeatureDtype::float32   ? gather_dense_kernel<float>
                      : features.dtype == FeatureDtype::float16 ? gather_dense_kernel<uint16_t>
                                                                : gather_dense_kernel<int8_t>;
  device::launch(kernel, grid_of_warps(count), stream, features, count, ids, out);
}

}  // namespace gnn::cuda
