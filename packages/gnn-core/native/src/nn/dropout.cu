#include "gnn/cuda/nn/dropout.h"

#include "gnn/device/philox.h"
#include "gnn/device/warp.h"

namespace gnn::cuda {
namespace {

constexpr int kGroup = 128, kGroupLanes = 16;

float scale_of(uint32_t threshold) { return 65536.0f / static_cast<float>(65536u - threshold); }

// A thread draws eight half-words and uses all: columns group * 128 + half * 16 + lane of one row.
__global__ void dropout_rows_kernel(DropoutRows op, float scale) {
  const int64_t per_row = (op.dim + kGroup - 1) / kGroup * kGroupLanes, task = thread_index();
  const int64_t row = task / per_row, group = task % per_row / kGroupLanes, lane = task % kGroupLanes;
  if (row >= op.rows) return;
  uint32_t words[4] = {static_cast<uint32_t>(op.row_ids[row]), static_cast<uint32_t>(kGroupLanes * group + lane),
                       op.key.epoch, op.key.step};
  draw_words(words, op.key.seed, op.key.layer);
#pragma unroll
  for (int half = 0; half < 8; ++half) {
    const int64_t column = group * kGroup + half * kGroupLanes + lane;
    if (column >= op.dim) return;
    const int64_t at = row * op.dim + column;
    op.out[at] = half_word(words, half) < op.threshold ? 0.0f : op.x[at] * scale;
  }
}

// A warp per row, its lanes side by side in the non-zeros.
__global__ void __launch_bounds__(kRowWarps * 32)
    dropout_csr_kernel(CsrView x, const int32_t* row_ids, DropoutKey key, uint32_t threshold, float scale, float* out) {
  const int64_t row = warp_index();
  if (row >= x.rows) return;
  for (int32_t i = x.indptr[row] + lane_index(); i < x.indptr[row + 1]; i += 32) {
    const auto column = static_cast<uint32_t>(x.indices[i]);
    const uint32_t lane = column % kGroupLanes, half = column % kGroup / kGroupLanes;
    uint32_t words[4] = {static_cast<uint32_t>(row_ids[row]), column / kGroup * kGroupLanes + lane, key.epoch,
                         key.step};
    draw_words(words, key.seed, key.layer);
    out[i] = half_word(words, static_cast<int>(half)) < threshold ? 0.0f : x.values[i] * scale;
  }
}

}  // namespace

void dropout_rows(Stream& stream, const DropoutRows& op) {
  const int64_t tasks = op.rows * ((op.dim + kGroup - 1) / kGroup) * kGroupLanes;
  if (tasks > 0) device::launch(dropout_rows_kernel, device::grid_for(tasks), stream, op, scale_of(op.threshold));
}

void dropout_csr(Stream& stream, const CsrView& x, const int32_t* row_ids, const DropoutKey& key, uint32_t threshold,
                 float* out) {
  if (x.rows == 0) return;
  device::launch(dropout_csr_kernel, grid_of_warps(x.rows), stream, x, row_ids, key, threshold, scale_of(threshold),
                 out);
}

}  // namespace gnn::cuda
