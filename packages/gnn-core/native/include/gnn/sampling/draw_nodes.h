#pragma once
// Draws from a discrete distribution. Importance is times drawn / expected times, or 1 / probability; 0: not drawn.
#include <cstdint>
#include <vector>

#include "gnn/sampling/counter_rng.h"

namespace gnn {

// `count` independent draws from the distribution with these prefix sums (the last one is the total, > 0).
// @returns the places drawn, ascending, as often as drawn
std::vector<int32_t> draw_with_replacement(const double* prefix, int64_t size, int32_t count, NodeRng rng);

// `count` successive draws without replacement in proportion to q, by exponential keys of the nodes: whether a node is
// in depends on its own random number and a threshold. @returns importance by place
std::vector<double> draw_without_replacement(const std::vector<double>& q, const int32_t* nodes,
                                             int32_t count, uint64_t stream);

}  // namespace gnn
