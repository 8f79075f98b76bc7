#pragma once
#include <vector>

#include "gnn/graph/graph_view.h"
#include "gnn/sampling/block_data.h"
#include "gnn/sampling/counter_rng.h"

namespace gnn {

struct WeightedOptions {
  std::vector<int32_t> fanouts;  // [0] is the hop from the seeds, negative = all in-neighbours
  bool replace;
  bool importance;  // attach 1 / probability to every edge
};

// Draws in-neighbours with probability proportional to the weight of their edge; edges of weight 0 are never drawn
// (unless a fanout takes all). Safe to call from any number of threads.
//
// With replacement: `fanout` independent draws; each counts W_v / (fanout w_e), W_v the sum of v's weights.
// Without: the keys E_e / w_e with E_e exponential, smallest first, are successive draws in proportion to the weights
// (Efraimidis and Spirakis 2006). Given the smallest key t that was left out, e is in with probability
// 1 - exp(-w_e t), independently; 1 / that makes every sum unbiased (Cohen and Kaplan 2007, rank conditioning).
//
// Throws DATASET_VALUE_INVALID for a graph without weights or a weight that is negative or not finite, SHAPE_MISMATCH
// for a node outside the graph, DATASET_TOO_LARGE when a block passes 2^31 - 1 edges.
std::vector<BlockData> sample_weighted_blocks(const GraphView& graph, const std::vector<int32_t>& seeds,
                                              const WeightedOptions& options, const SampleKey& key);

}  // namespace gnn
