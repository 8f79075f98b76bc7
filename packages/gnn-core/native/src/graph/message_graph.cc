#include "gnn/graph/message_graph.h"

#include <utility>

namespace gnn {
namespace {

std::vector<MessagePart> empty_parts(const GraphView& graph) {
  std::vector<MessagePart> parts(graph.parts().size());
  for (size_t p = 0; p < parts.size(); ++p) parts[p].indptr.assign(graph.parts()[p].num_nodes + int64_t{1}, 0);
  return parts;
}

size_t part_index(const GraphView& graph, int32_t node) { return &graph.part_of(node) - graph.parts().data(); }

// Turns counts, each one place after its node, into offsets and makes room for the edges.
void allocate(const GraphView& graph, std::vector<MessagePart>& parts) {
  for (MessagePart& part : parts) {
    for (size_t i = 1; i < part.indptr.size(); ++i) part.indptr[i] += part.indptr[i - 1];
    part.indices.resize(part.indptr.back());
    if (graph.weighted()) part.weights.resize(part.indptr.back());
  }
}

template <typename Visit>
void for_each_column(const GraphView& graph, Visit visit) {
  for (int32_t node = 0; node < graph.num_nodes(); ++node) visit(node, graph.column(node));
}

// Merges two ascending columns into the part's column of `local`.
void merge(const Column& a, const Column& b, int64_t at, MessagePart& into) {
  int64_t i = 0, j = 0;
  for (; i < a.degree || j < b.degree; ++at) {
    const bool from_a = j == b.degree || (i < a.degree && a.src[i] <= b.src[j]);
    const Column& column = from_a ? a : b;
    int64_t& next = from_a ? i : j;
    into.indices[at] = column.src[next];
    if (column.weights) into.weights[at] = column.weights[next];
    ++next;
  }
}

}  // namespace

MessageGraph reverse_graph(const GraphView& graph) {
  std::vector<MessagePart> parts = empty_parts(graph);
  for_each_column(graph, [&](int32_t, const Column& column) {
    for (int64_t e = 0; e < column.degree; ++e) {
      const size_t p = part_index(graph, column.src[e]);
      ++parts[p].indptr[column.src[e] - graph.parts()[p].first_node + 1];
    }
  });
  allocate(graph, parts);
  for_each_column(graph, [&](int32_t node, const Column& column) {
    for (int64_t e = 0; e < column.degree; ++e) {
      const size_t p = part_index(graph, column.src[e]);
      const int64_t at = parts[p].indptr[column.src[e] - graph.parts()[p].first_node]++;
      parts[p].indices[at] = node;  // nodes come in ascending order
      if (column.weights) parts[p].weights[at] = column.weights[e];
    }
  });
  for (MessagePart& part : parts) {  // each offset has become that of the next node
    for (size_t i = part.indptr.size() - 1; i > 0; --i) part.indptr[i] = part.indptr[i - 1];
    part.indptr[0] = 0;
  }
  return {std::move(parts), graph.weighted()};
}

MessageGraph bidirected_graph(const GraphView& graph) {
  const std::vector<MessagePart> out = reverse_graph(graph).parts;
  std::vector<PartView> out_views;
  for (size_t p = 0; p < out.size(); ++p) {
    const PartView& part = graph.parts()[p];
    out_views.push_back({part.first_node, part.num_nodes, out[p].indptr.data(), out[p].indices.data(),
                         graph.weighted() ? out[p].weights.data() : nullptr,
                         static_cast<int64_t>(out[p].indices.size())});
  }
  const GraphView reversed(graph.num_nodes(), std::move(out_views));
  std::vector<MessagePart> parts = empty_parts(graph);
  for_each_column(graph, [&](int32_t node, const Column& column) {
    const size_t p = part_index(graph, node);
    parts[p].indptr[node - graph.parts()[p].first_node + 1] = column.degree + reversed.column(node).degree;
  });
  allocate(graph, parts);
  for_each_column(graph, [&](int32_t node, const Column& column) {
    const size_t p = part_index(graph, node);
    merge(column, reversed.column(node), parts[p].indptr[node - graph.parts()[p].first_node], parts[p]);
  });
  return {std::move(parts), graph.weighted()};
}

}  // namespace gnn
