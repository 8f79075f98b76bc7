#pragma once
// What the attention kernels forward and backward share: the edges of a dst row with its self-loop, and sums over
// heads.
#include "gnn/nn/gat_conv.h"
#include "gnn/runtime/lanes.h"

namespace gnn {

// Edges of dst row v in every per-edge array, its self-loop last.
inline int64_t first_gat_edge(const BlockView& block, int64_t v) { return block.indptr[v] + v; }

// sum over d of a[d] * b[d]
GNN_INLINE float dot_lanes(const float* a, const float* b, int64_t dim) {
  Floats sums = {};
  float total = 0.0f;
  int64_t d = 0;
  for (; d + kLanes <= dim; d += kLanes) sums += load_lanes(a + d) * load_lanes(b + d);
  for (; d < dim; ++d) total += a[d] * b[d];
  return dim < kLanes ? total : total + sum_lanes(sums);
}

// to[d] += factor * from[d]
GNN_INLINE void add_scaled_lanes(const float* from, float factor, int64_t dim, float* to) {
  int64_t d = 0;
  for (; d + kLanes <= dim; d += kLanes) store_lanes(load_lanes(to + d) + load_lanes(from + d) * factor, to + d);
  for (; d < dim; ++d) to[d] += factor * from[d];
}

}  // namespace gnn
