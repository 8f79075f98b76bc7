#pragma once
// Which in-neighbours a hop draws. A thread per dst row: columns are short, or few of a long one are drawn.
#include "gnn/cuda/sampling/sample_blocks.h"
#include "gnn/device/counter_rng.h"

namespace gnn::cuda {

struct HopDraw {
  int32_t fanout;  // negative: all in-neighbours
  bool replace;
  uint64_t stream;
};

__device__ inline int64_t num_picks(int64_t degree, const HopDraw& draw) {
  if (draw.fanout < 0) return degree;
  if (draw.replace) return degree > 0 ? draw.fanout : 0;
  return degree < draw.fanout ? degree : draw.fanout;
}

// Puts a position among `count` ascending ones.
__device__ inline void insert_position(int32_t* positions, int64_t count, int32_t position) {
  int64_t at = count;
  for (; at > 0 && positions[at - 1] > position; --at) positions[at] = positions[at - 1];
  positions[at] = position;
}

__device__ inline bool has_position(const int32_t* positions, int64_t count, int32_t position) {
  for (int64_t i = 0; i < count; ++i) {
    if (positions[i] == position) return true;
  }
  return false;
}

// `count` positions of [0, degree), ascending: the draws of gnn::pick_positions.
__device__ inline void draw_positions(int64_t degree, int64_t count, bool replace, NodeDraws draws,
                                      int32_t* positions) {
  if (replace) {
    for (int64_t k = 0; k < count; ++k) insert_position(positions, k, static_cast<int32_t>(draws.below(degree)));
    return;
  }
  // Floyd's algorithm: j is larger than all that was drawn before.
  for (int64_t k = 0; k < count; ++k) {
    const int64_t j = degree - count + k;
    const auto drawn = static_cast<int32_t>(draws.below(j + 1));
    insert_position(positions, k, has_position(positions, k, drawn) ? static_cast<int32_t>(j) : drawn);
  }
}

}  // namespace gnn::cuda
