#pragma once
// Neighbour sampling into message-flow blocks.
#include <cstdint>
#include <vector>

#include "gnn/graph/graph_view.h"
#include "gnn/sampling/block_data.h"
#include "gnn/sampling/counter_rng.h"

namespace gnn {

// fanouts[0] is the hop from the seeds, negative = all in-neighbours. The result is in the order a model
// consumes it: the last block ends in the seeds. Safe to call from any number of threads.
// Throws SHAPE_MISMATCH for a node outside the graph, DATASET_TOO_LARGE when a block passes 2^31 - 1 edges.
std::vector<BlockData> sample_blocks(const GraphView& graph, const std::vector<int32_t>& seeds,
                                     const std::vector<int32_t>& fanouts, bool replace, const SampleKey& key);

// All in-neighbours of the nodes [first_node, first_node + num_nodes).
BlockData full_block(const GraphView& graph, int32_t first_node, int32_t num_nodes);

}  // namespace gnn
