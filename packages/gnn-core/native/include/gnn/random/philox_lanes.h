#pragma once
#include <cstdint>

#include "gnn/random/philox.h"
#include "gnn/runtime/lanes.h"

namespace gnn {

// Philox4x32-10 on 16 counters at once, one per lane: the same words as philox4x32 of each.
// c[w][lane] becomes word w of Philox(counter = (c[0], c[1], c[2], c[3])[lane], key = (key0, key1)).
void philox_lanes(Words c[4], uint32_t key0, uint32_t key1);

}  // namespace gnn
