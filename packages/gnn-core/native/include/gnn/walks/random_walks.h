#pragma once
// Random walks of first and second order, against the direction of edges: each step goes to an in-neighbour.
#include <cstdint>
#include <vector>

#include "gnn/graph/graph_view.h"
#include "gnn/sampling/counter_rng.h"

namespace gnn {

struct WalkOptions {
  int32_t length;    // steps of a walk
  int32_t per_node;  // walks from each start
  double p;          // a step back weighs 1/p
  double q;          // a step to a node that is no neighbour of the one before weighs 1/q
};

// A function of (seed, epoch, number of the walk, start) alone: key.step is not looked at. From t over v to x a step
// weighs w_vx * a, a = 1/p for x = t, 1 for neighbours of t, 1/q for all others; w_vx = 1 without weights. It is drawn
// by rejection: x by w_vx, kept with probability a / max a. Grover and Leskovec 2016 (arXiv:1607.00653), section 3.2.2.
//
// Returns [starts * per_node, length + 1] nodes, start by start; -1 behind a node without in-edges of any weight.
// Throws SHAPE_MISMATCH for a node outside the graph.
std::vector<int32_t> random_walks(const GraphView& graph, const std::vector<int32_t>& starts,
                                  const WalkOptions& options, const SampleKey& key);

}  // namespace gnn
