#include "gnn/cuda/sparse/segment_sum.h"

#include "gnn/device/columns.h"
#include "gnn/device/warp.h"

namespace gnn::cuda {
namespace {

struct Entry {
  int32_t row;
  float weight;
};

__device__ inline Entry entry_of(const SegmentSums& op, int32_t i) {
  const int32_t row = op.indices[i];
  float weight = 1.0f;
  if (op.entry_weights != nullptr) weight = op.entry_weights[op.entries == nullptr ? i : op.entries[i]];
  if (op.degree_indptr != nullptr) weight /= static_cast<float>(op.degree_indptr[row + 1] - op.degree_indptr[row]);
  return {row, weight};
}

// The sum of a segment's entries in the columns of this lane, which has none unless `is_mine`. The lanes look up 32
// entries at once and hand them around.
template <int kWidth>
__device__ Columns<kWidth> sum_entries(const SegmentSums& op, int32_t begin, int32_t end, int64_t column,
                                       bool is_mine) {
  Columns<kWidth> sum{};
  for (int32_t first = begin; first < end; first += 32) {
    const int32_t i = first + lane_index();
    const Entry mine = i < end ? entry_of(op, i) : Entry{0, 0.0f};
    const int count = min(32, end - first);
    for (int k = 0; k < count; ++k) {
      const int64_t row = __shfl_sync(kAllLanes, mine.row, k);
      const float weight = __shfl_sync(kAllLanes, mine.weight, k);
      if (is_mine) sum.add(Columns<kWidth>::load(op.x + row * op.dim + column), weight);
    }
  }
  return sum;
}

// A warp per segment, its lanes side by side in the columns.
template <int kWidth, bool kBesideOwn>
__global__ void __launch_bounds__(kRowWarps * 32) segment_sum_kernel(SegmentSums op) {
  const int64_t s = warp_index();
  if (s >= op.count) return;
  const int32_t begin = op.indptr[s], end = op.indptr[s + 1];
  const float scale = !op.mean ? 1.0f : begin == end ? 0.0f : 1.0f / static_cast<float>(end - begin);
  const float self = s >= op.num_selves ? 0.0f : op.epsilon != nullptr ? 1.0f + *op.epsilon : op.self_weights[s];
  for (int64_t first = 0; first < op.dim; first += 32 * kWidth) {
    const int64_t column = first + lane_index() * kWidth, at = s * op.dim + column;
    const bool is_mine = column < op.dim;
    Columns<kWidth> sum = sum_entries<kWidth>(op, begin, end, column, is_mine);
    if (!is_mine) continue;
    sum.scale(scale);
    if constexpr (kBesideOwn) {
      float* const own = op.out + s * 2 * op.dim + column;
      Columns<kWidth>::load(op.x + at).store(own);
      sum.store(own + op.dim);
      continue;
    }
    if (s < op.num_selves) sum.add(Columns<kWidth>::load(op.x + at), self);
    if (s < op.accumulate_until) sum.add(Columns<kWidth>::load(op.out + at), 1.0f);
    sum.scale(op.out_scale);
    sum.store(op.out + at);
  }
}

}  // namespace

void sum_segments(Stream& stream, const SegmentSums& op) {
  if (op.count == 0 || op.dim == 0) return;
  const bool wide = is_wide(op.dim, {op.x, op.out});
  const auto kernel = op.beside_own ? wide ? segment_sum_kernel<4, true> : segment_sum_kernel<1, true>
                      : wide        ? segment_sum_kernel<4, false>
                                    : segment_sum_kernel<1, false>;
  device::launch(kernel, grid_of_warps(op.count), stream, op);
}

}  // namespace gnn::cuda
