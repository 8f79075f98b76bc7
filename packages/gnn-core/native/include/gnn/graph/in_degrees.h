#pragma once
#include <vector>

#include "gnn/graph/graph_view.h"

namespace gnn {

// Sum of the weights of each node's in-edges in the whole graph; their number when the graph has no weights.
std::vector<float> in_degrees(const GraphView& graph, const std::vector<int32_t>& nodes);

}  // namespace gnn
