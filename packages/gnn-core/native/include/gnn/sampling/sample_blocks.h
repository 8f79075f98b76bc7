#pragma once
// Neighbour sampling into message-flow blocks.
#include <cstdint>
#include <vector>

#include "gnn/graph/graph_view.h"
#include "gnn/runtime/memory.h"
#include "gnn/sampling/counter_rng.h"

namespace gnn {

// One hop: src rows send to dst rows; the first num_dst src rows are the dst rows.
struct BlockData {
  int32_t num_src = 0;
  int32_t num_dst = 0;
  Recycled<int32_t> indptr;   // [num_dst + 1]
  Recycled<int32_t> indices;  // src rows
  Recycled<int32_t> src_ids;  // node of every src row
  Recycled<float> weights;    // one per edge when `weighted`
  bool weighted = false;
  // The same edges by src, in edge order: dst row and position of each.
  Recycled<int32_t> reverse_indptr;
  Recycled<int32_t> reverse_indices;
  Recycled<int32_t> reverse_edges;
};

// fanouts[0] is the hop from the seeds, negative = all in-neighbours. The result is in the order a model
// consumes it: the last block ends in the seeds. Safe to call from any number of threads.
// Throws SHAPE_MISMATCH for a node outside the graph, DATASET_TOO_LARGE when a block passes 2^31 - 1 edges.
std::vector<BlockData> sample_blocks(const GraphView& graph, const std::vector<int32_t>& seeds,
                                     const std::vector<int32_t>& fanouts, bool replace, const SampleKey& key);

// All in-neighbours of the nodes [first_node, first_node + num_nodes).
BlockData full_block(const GraphView& graph, int32_t first_node, int32_t num_nodes);

}  // namespace gnn
