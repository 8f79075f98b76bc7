#include "gnn/sampling/edge_block.h"

#include <algorithm>
#include <numeric>

#include "gnn/error.h"

namespace gnn {
namespace {

int64_t count_edges(const GraphView& graph, int32_t first_node, int32_t num_nodes) {
  int64_t edges = 0;
  for (int32_t v = 0; v < num_nodes; ++v) edges += graph.column(first_node + v).degree;
  if (edges + num_nodes < INT32_MAX) return edges;
  throw Error("DATASET_TOO_LARGE", "The chunk's nodes have over 2^31 - 1 edges; lower the chunk size.");
}

void list_edges(const GraphView& graph, int32_t first_node, BlockData& block) {
  std::iota(block.src_ids.begin(), block.src_ids.begin() + block.num_dst, first_node);
  int32_t at = 0;
  for (int32_t v = 0; v < block.num_dst; ++v) {
    const Column column = graph.column(first_node + v);
    std::copy_n(column.src, column.degree, block.src_ids.begin() + block.num_dst + at);
    if (block.weighted) std::copy_n(column.weights, column.degree, block.weights.begin() + at);
    if (block.typed) std::copy_n(column.types, column.degree, block.types.begin() + at);
    block.indptr[v] = at;
    at += static_cast<int32_t>(column.degree);
  }
  block.indptr[block.num_dst] = at;
}

}  // namespace

BlockData edge_block(const GraphView& graph, int32_t first_node, int32_t num_nodes) {
  const auto edges = static_cast<int32_t>(count_edges(graph, first_node, num_nodes));
  BlockData block;
  block.num_dst = num_nodes;
  block.num_src = num_nodes + edges;
  block.weighted = graph.weighted();
  block.indptr.resize(num_nodes + 1);
  block.src_ids.resize(block.num_src);
  block.indices.resize(edges);
  if (block.weighted) block.weights.resize(edges);
  block.typed = graph.typed();
  if (block.typed) block.types.resize(edges);
  list_edges(graph, first_node, block);
  // Edge e leaves row num_nodes + e.
  std::iota(block.indices.begin(), block.indices.end(), num_nodes);
  return block;
}

}  // namespace gnn
