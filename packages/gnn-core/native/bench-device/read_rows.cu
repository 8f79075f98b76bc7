#include "read_rows.h"

#include "gnn/device/warp.h"

namespace bench {
namespace {

constexpr int kRowsOfWarp = 8;

// A warp per eight rows, 16 bytes of a row per lane; all eight are asked for before the first is needed.
__global__ void __launch_bounds__(gnn::cuda::kRowWarps * 32)
    read_rows_kernel(int64_t count, const float* x, const int32_t* ids, float* never) {
  const int64_t first = gnn::cuda::warp_index() * kRowsOfWarp;
  float4 rows[kRowsOfWarp];
  for (int i = 0; i < kRowsOfWarp; ++i) {
    const int64_t at = first + i < count ? first + i : count - 1;
    rows[i] = reinterpret_cast<const float4*>(x)[ids[at] * (kReadRowFloats / 4) + gnn::cuda::lane_index()];
  }
  float sum = 0;
  for (const float4& row : rows) sum += row.x + row.y + row.z + row.w;
  if (sum == 1e30f) *never = sum;
}

}  // namespace

void read_rows(gnn::device::Stream& stream, int64_t count, const float* x, const int32_t* ids, float* never) {
  const int64_t warps = (count + kRowsOfWarp - 1) / kRowsOfWarp;
  gnn::device::launch(read_rows_kernel, gnn::cuda::grid_of_warps(warps), stream, count, x, ids, never);
}

}  // namespace bench
