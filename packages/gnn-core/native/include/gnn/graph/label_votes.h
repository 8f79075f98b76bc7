#pragma once
#include <cstdint>

#include "gnn/runtime/lanes.h"

namespace gnn {

// votes[i] = how many of the kLanes labels equal labels[i].
void count_votes(const int32_t* labels, int32_t* votes);

}  // namespace gnn
