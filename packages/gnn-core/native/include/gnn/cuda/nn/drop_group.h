#pragma once
// How kernels drop elements of rows: a thread draws eight half-words and uses all of them, for columns
// group * 128 + half * 16 + lane of one row (gnn/nn/dropout.h).
#include "gnn/device/kernel.h"
#include "gnn/device/philox.h"
#include "gnn/nn/dropout.h"

namespace gnn::cuda {

constexpr int kDropGroup = 128, kDropLanes = 16, kDropHalves = 8;

struct DropoutMask {
  DropoutKey key;
  uint32_t threshold;
  float scale;
};

inline DropoutMask mask_of(const DropoutKey& key, uint32_t threshold) {
  return {key, threshold, dropout_scale(threshold)};
}

inline int64_t threads_per_row(int64_t dim) { return (dim + kDropGroup - 1) / kDropGroup * kDropLanes; }

// The thread's share of a row: `task` is its place among the row's threads, x(column) an element and out the row. All
// elements are read before the first is written, so that the reads are under way together.
template <typename Read>
__device__ inline void drop_group(const DropoutMask& mask, int32_t row_id, int64_t task, int64_t dim, const Read& x,
                                  float* out) {
  const int64_t group = task / kDropLanes, lane = task % kDropLanes, first = group * kDropGroup + lane;
  float values[kDropHalves];
#pragma unroll
  for (int half = 0; half < kDropHalves; ++half) {
    const int64_t column = first + half * kDropLanes;
    values[half] = column < dim ? x(column) : 0.0f;
  }
  uint32_t words[4] = {static_cast<uint32_t>(row_id), static_cast<uint32_t>(kDropLanes * group + lane), mask.key.epoch,
                       mask.key.step};
  draw_words(words, mask.key.seed, mask.key.layer);
#pragma unroll
  for (int half = 0; half < kDropHalves; ++half) {
    const int64_t column = first + half * kDropLanes;
    if (column < dim) out[column] = half_word(words, half) < mask.threshold ? 0.0f : values[half] * mask.scale;
  }
}

}  // namespace gnn::cuda
