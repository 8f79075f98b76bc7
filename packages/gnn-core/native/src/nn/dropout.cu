#include "gnn/cuda/nn/dropout.h"

#include "gnn/cuda/nn/drop_group.h"
#include "gnn/device/warp.h"

namespace gnn::cuda {
namespace {

__global__ void dropout_rows_kernel(DropoutRows op, DropoutMask mask, int64_t per_row) {
  const int64_t row = thread_index() / per_row;
  if (row >= op.rows) return;
  const float* x = op.x + row * op.dim;
  drop_group(mask, op.row_ids[row], thread_index() % per_row, op.dim, [x](int64_t column) { return x[column]; },
             op.out + row * op.dim);
}

// A warp per row, its lanes side by side in the non-zeros.
__global__ void __launch_bounds__(kRowWarps * 32)
    dropout_csr_kernel(CsrView x, const int32_t* row_ids, DropoutMask mask, float* out) {
  const int64_t row = warp_index();
  if (row >= x.rows) return;
  for (int32_t i = x.indptr[row] + lane_index(); i < x.indptr[row + 1]; i += 32) {
    const auto column = static_cast<uint32_t>(x.indices[i]);
    const uint32_t lane = column % kDropLanes, half = column % kDropGroup / kDropLanes;
    uint32_t words[4] = {static_cast<uint32_t>(row_ids[row]), column / kDropGroup * kDropLanes + lane, mask.key.epoch,
                         mask.key.step};
    draw_words(words, mask.key.seed, mask.key.layer);
    out[i] = half_word(words, static_cast<int>(half)) < mask.threshold ? 0.0f : x.values[i] * mask.scale;
  }
}

}  // namespace

void dropout_rows(Stream& stream, const DropoutRows& op) {
  const int64_t per_row = threads_per_row(op.dim), tasks = op.rows * per_row;
  if (tasks == 0) return;
  device::launch(dropout_rows_kernel, device::grid_for(tasks), stream, op, mask_of(op.key, op.threshold), per_row);
}

void dropout_csr(Stream& stream, const CsrView& x, const int32_t* row_ids, const DropoutKey& key, uint32_t threshold,
                 float* out) {
  if (x.rows == 0) return;
  device::launch(dropout_csr_kernel, grid_of_warps(x.rows), stream, x, row_ids, mask_of(key, threshold), out);
}

}  // namespace gnn::cuda
