#include "gnn/graph/graph_view.h"

#include <algorithm>

namespace gnn {

void GraphView::require_valid() const {
  if (*is_valid_) return;
  for (const PartView& part : parts_) {
    for (int32_t i = 0; i < part.num_nodes; ++i) column(part.first_node + i);
    uint32_t highest = 0;  // a negative source is higher than any
    for (int64_t e = 0; e < part.num_edges; ++e) highest = std::max(highest, static_cast<uint32_t>(part.indices[e]));
    if (part.num_edges == 0 || highest < static_cast<uint32_t>(num_nodes_)) continue;
    throw Error("SHAPE_MISMATCH", "An edge comes from node " + std::to_string(static_cast<int32_t>(highest)) +
                                      "; the graph has " + std::to_string(num_nodes_) +
                                      " nodes. Its file is damaged: fetch it again.");
  }
  *is_valid_ = true;
}

void GraphView::fail_column(int32_t node) const {
  throw Error("SHAPE_MISMATCH",
              "The in-edges of node " + std::to_string(node) +
                  " do not lie within those of its part. The graph's file is damaged: fetch it again.");
}

}  // namespace gnn
