#include <numeric>

#include "gnn/partition/partition.h"

namespace gnn {

namespace {

std::vector<TypeMeasures> own_nodes_by_type(const PartView& part, NodeTypes types) {
  std::vector<TypeMeasures> measures(types.num_types);
  if (types.codes == nullptr) return measures;
  for (int32_t i = 0; i < part.num_nodes; ++i) {
    TypeMeasures& of_type = measures[types.codes[part.first_node + i]];
    ++of_type.nodes;
    of_type.edges += part.indptr[i + 1] - part.indptr[i];
  }
  return measures;
}

}  // namespace

// Breadth-first over in-edges from the part's inner nodes.
PartMeasures measure_part(const GraphView& graph, int32_t part_index, int32_t hops, NodeTypes types) {
  graph.require_valid();
  const PartView& part = graph.parts().at(part_index);
  const auto is_inner = [&part](int32_t node) {
    return node >= part.first_node && node < part.first_node + int64_t{part.num_nodes};
  };
  PartMeasures measures{.types = own_nodes_by_type(part, types)};
  const int64_t num_edges = part.indptr[part.num_nodes];
  for (int64_t e = 0; e < num_edges; ++e) measures.cut_edges += !is_inner(part.indices[e]);

  std::vector<bool> in_halo(graph.num_nodes());
  std::vector<int32_t> frontier(part.num_nodes), next;
  std::iota(frontier.begin(), frontier.end(), part.first_node);
  int64_t num_halo = 0;
  for (int32_t hop = 0; hop < hops; ++hop) {
    next.clear();
    for (const int32_t dst : frontier) {
      const Column column = graph.column(dst);
      for (int64_t e = 0; e < column.degree; ++e) {
        const int32_t src = column.src[e];
        if (is_inner(src) || in_halo[src]) continue;
        in_halo[src] = true;
        next.push_back(src);
        if (types.codes != nullptr) ++measures.types[types.codes[src]].halo_nodes;
      }
    }
    num_halo += static_cast<int64_t>(next.size());
    measures.halo_nodes.push_back(num_halo);
    frontier.swap(next);
  }
  return measures;
}

}  // namespace gnn
