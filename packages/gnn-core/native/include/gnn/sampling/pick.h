#pragma once
// Picks positions of a column, ascending, so that sums over neighbours have one order.
#include <cstdint>

#include "gnn/sampling/counter_rng.h"

namespace gnn {

// How many in-neighbours a node of this degree contributes. A negative fanout takes all.
inline int64_t num_picks(int64_t degree, int32_t fanout, bool replace) {
  if (fanout < 0) return degree;
  if (replace) return degree > 0 ? fanout : 0;
  return degree < fanout ? degree : fanout;
}

// Writes `count` = num_picks(degree, …) positions in [0, degree), ascending: distinct unless `replace`.
void pick_positions(int64_t degree, int64_t count, bool all, bool replace, NodeRng rng, int64_t* out);

}  // namespace gnn
