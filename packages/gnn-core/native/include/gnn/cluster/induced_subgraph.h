#pragma once
#include <cstdint>
#include <vector>

#include "gnn/graph/graph_view.h"

namespace gnn {

struct Subgraph {
  std::vector<int64_t> indptr;   // [num_nodes + 1]
  std::vector<int32_t> indices;  // positions in `nodes`, ascending inside a column
  std::vector<float> weights;    // one per edge when the graph has weights
};

// The edges of the graph with both ends in `nodes` (ascending, each once), in-edges by dst; node i is nodes[i].
// Safe to call from any number of threads. Throws SHAPE_MISMATCH for a node outside the graph or out of order.
Subgraph induced_subgraph(const GraphView& graph, const std::vector<int32_t>& nodes);

}  // namespace gnn
