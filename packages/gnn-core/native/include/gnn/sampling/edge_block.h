#pragma once
#include "gnn/graph/graph_view.h"
#include "gnn/sampling/block_data.h"

namespace gnn {

// All in-neighbours of the nodes [first_node, first_node + num_nodes), with one src row per edge behind the dst rows: a
// node that several edges leave has as many rows. Nothing is looked up to make it, and where rows are read in place the
// repetition costs nothing. Throws SHAPE_MISMATCH for a node outside the graph, DATASET_TOO_LARGE past 2^31 - 1 rows.
BlockData edge_block(const GraphView& graph, int32_t first_node, int32_t num_nodes);

}  // namespace gnn
