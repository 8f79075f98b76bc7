#include "gnn/cluster/induced_subgraph.h"

#include <string>

namespace gnn {
namespace {

// Position of every node of the graph in `nodes`, -1 elsewhere; the thread's table, all -1 between uses.
class Positions {
 public:
  Positions(const GraphView& graph, const std::vector<int32_t>& nodes) : nodes_(nodes), table_(table()) {
    check(graph, nodes);
    if (table_.size() < static_cast<size_t>(graph.num_nodes())) table_.resize(graph.num_nodes(), -1);
    for (size_t i = 0; i < nodes.size(); ++i) table_[nodes[i]] = static_cast<int32_t>(i);
  }
  ~Positions() {
    for (const int32_t node : nodes_) table_[node] = -1;
  }
  int32_t of(int32_t node) const { return table_[node]; }

 private:
  static std::vector<int32_t>& table() {
    thread_local std::vector<int32_t> memory;
    return memory;
  }
  static void check(const GraphView& graph, const std::vector<int32_t>& nodes) {
    for (size_t i = 0; i < nodes.size(); ++i) {
      graph.part_of(nodes[i]);
      if (i > 0 && nodes[i] <= nodes[i - 1]) {
        throw Error("SHAPE_MISMATCH", "The nodes of a subgraph ascend, each once; " + std::to_string(nodes[i]) +
                                          " follows " + std::to_string(nodes[i - 1]) + ".");
      }
    }
  }

  const std::vector<int32_t>& nodes_;
  std::vector<int32_t>& table_;
};

}  // namespace

Subgraph induced_subgraph(const GraphView& graph, const std::vector<int32_t>& nodes) {
  graph.require_valid();
  const Positions positions(graph, nodes);
  Subgraph result;
  result.indptr.reserve(nodes.size() + 1);
  result.indptr.push_back(0);
  for (const int32_t node : nodes) {
    const Column column = graph.column(node);
    for (int64_t e = 0; e < column.degree; ++e) {
      const int32_t src = positions.of(column.src[e]);
      if (src < 0) continue;
      result.indices.push_back(src);
      if (column.weights != nullptr) result.weights.push_back(column.weights[e]);
    }
    result.indptr.push_back(static_cast<int64_t>(result.indices.size()));
  }
  return result;
}

}  // namespace gnn
