#pragma once
#include <cstdint>
#include <vector>

#include "gnn/graph/graph_view.h"

namespace gnn {

// The columns of one part: who sends to its nodes.
struct MessagePart {
  std::vector<int64_t> indptr;
  std::vector<int32_t> indices;  // ascending inside a column
  std::vector<float> weights;    // empty when the graph has none
};

struct MessageGraph {
  std::vector<MessagePart> parts;
  bool weighted = false;
};

// The graph in which every node hears from its out-neighbours (the reverse, CSR), cut as the graph is.
// Memory besides the graph: 8 bytes per node and 4 (with weights 8) per edge.
MessageGraph reverse_graph(const GraphView& graph);

// In which it hears from in- and out-neighbours: u -> v and v -> u for every edge; a pair that is there in both
// directions counts twice. Memory besides the graph: 16 bytes per node and 12 (with weights 24) per edge while it is
// built, of which 8 and 8 (16) stay.
MessageGraph bidirected_graph(const GraphView& graph);

}  // namespace gnn
