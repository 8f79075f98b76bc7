#pragma once
// One hop of neighbour sampling where some in-edges lie with other ranks: their owners draw for the nodes that are not
// held here, keyed alike, so that the block has the bits of one that was drawn from the whole graph.
#include <vector>

#include "gnn/graph/graph_view.h"
#include "gnn/sampling/block_data.h"

namespace gnn {

// The nodes whose in-edges are not here, in their order, as often as named. Throws SHAPE_MISMATCH outside the graph.
std::vector<int32_t> foreign_nodes(const GraphView& graph, const int32_t* nodes, int64_t count);

// What was drawn for the foreign nodes, in that order.
struct ForeignDraws {
  const int32_t* indptr;  // [num_lists + 1]
  int64_t num_lists;
  const int32_t* entries;
  const float* values;  // null when the graph has no weights
  const int32_t* types = nullptr;  // relation of each edge; null when they are all alike
};

struct HopDraw {
  int32_t fanout;  // negative: all in-neighbours
  bool replace;
  uint64_t stream;
  // One for each relation in place of `fanout`, which then is what they come to together. Empty: one for all edges
  std::vector<int32_t> of_relations = {};
};

// The block into `nodes`: the seeds, or the src rows of the hop before. The same as a hop of sample_blocks, or of
// sample_relation_blocks. Throws SHAPE_MISMATCH when the draws are not those of the foreign nodes, or for a relation
// that the fanouts lack, DATASET_TOO_LARGE at 2^31 edges.
BlockData sample_hop(const GraphView& graph, const std::vector<int32_t>& nodes, const HopDraw& draw,
                     const ForeignDraws& foreign);

}  // namespace gnn
