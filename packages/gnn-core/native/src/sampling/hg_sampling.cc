#include "gnn/sampling/hg_sampling.h"

#include <algorithm>
#include <string>

#include "gnn/runtime/leased.h"
#include "gnn/sampling/draw_nodes.h"
#include "gnn/sampling/hop_builder.h"

namespace gnn {
namespace {

// Nodes that were seen so far, by row of `nodes`. Memory of one batch, kept for the next.
struct Seen {
  RowMap nodes;
  std::vector<double> budget;
  std::vector<bool> is_taken;

  void reset(size_t expected, int32_t num_nodes) {
    nodes.reset(expected, num_nodes);
    budget.clear();
    is_taken.clear();
  }

  int32_t row_of(int32_t node) {
    const int32_t row = nodes.row_of(node);
    if (static_cast<size_t>(row) == budget.size()) budget.push_back(0.0), is_taken.push_back(false);
    return row;
  }

  bool took(int32_t node) const {
    const int32_t row = nodes.find_row(node);
    return row >= 0 && is_taken[row];
  }
};

// Those that send to a node which was taken have it in their budgets, a share for each edge of a relation.
void add_in_degrees(const Column& column, Seen& seen) {
  for (int64_t begin = 0, end; begin < column.degree; begin = end) {
    end = column.types ? begin + 1 : column.degree;
    while (end < column.degree && column.types[end] == column.types[begin]) ++end;
    const double share = 1.0 / static_cast<double>(end - begin);
    for (int64_t i = begin; i < end; ++i) {
      const int32_t row = seen.row_of(column.src[i]);
      if (!seen.is_taken[row]) seen.budget[row] += share;
    }
  }
}

// Rows of the nodes of each type that may be drawn.
std::vector<std::vector<int32_t>> candidates(const Seen& seen, const TypesOfNodes& types) {
  std::vector<std::vector<int32_t>> rows(types.num_types);
  for (int32_t row = 0; row < seen.nodes.size(); ++row) {
    if (seen.is_taken[row]) continue;
    const int32_t node = seen.nodes.data()[row], type = types.codes ? types.codes[node] : 0;
    if (type < 0 || type >= types.num_types) {
      throw Error("SHAPE_MISMATCH", "Node " + std::to_string(node) + " is of type " + std::to_string(type) +
                                        "; there are " + std::to_string(types.num_types) + " types of nodes.");
    }
    rows[type].push_back(row);
  }
  return rows;
}

// @returns the rows that are taken in a round
std::vector<int32_t> draw_round(const Seen& seen, const TypesOfNodes& types, int32_t per_type, uint64_t stream) {
  std::vector<int32_t> drawn, nodes;
  std::vector<double> q;
  for (const std::vector<int32_t>& rows : candidates(seen, types)) {
    nodes.clear(), q.clear();
    for (const int32_t row : rows) {
      nodes.push_back(seen.nodes.data()[row]);
      q.push_back(seen.budget[row] * seen.budget[row]);
    }
    const std::vector<double> importance = draw_without_replacement(q, nodes.data(), per_type, stream);
    for (size_t i = 0; i < rows.size(); ++i) {
      if (importance[i] > 0.0) drawn.push_back(rows[i]);
    }
  }
  return drawn;
}

void take_nodes(const GraphView& graph, const TypesOfNodes& types, const std::vector<int32_t>& seeds,
                const std::vector<int32_t>& per_type, const SampleKey& key, Seen& seen) {
  for (const int32_t seed : seeds) seen.is_taken[seen.row_of(seed)] = true;
  std::vector<int32_t> taken = seeds;
  for (size_t round = 0; round < per_type.size(); ++round) {
    for (const int32_t node : taken) add_in_degrees(graph.column(node), seen);
    taken.clear();
    for (const int32_t row : draw_round(seen, types, per_type[round], hop_stream(key, round))) {
      seen.is_taken[row] = true;
      taken.push_back(seen.nodes.data()[row]);
    }
  }
}

void add_block(const GraphView& graph, const Seen& seen, HopBuilder& hop) {
  hop.begin();
  hop.block().typed = graph.typed();
  for (int32_t row = 0; row < hop.num_dst(); ++row) {
    const Column column = graph.column(hop.dst_nodes()[row]);
    for (int64_t i = 0; i < column.degree; ++i) {
      if (!seen.took(column.src[i])) continue;
      hop.add(column.src[i], column.weights ? column.weights + i : nullptr, 1.0);
      if (column.types) hop.block().types.push_back(column.types[i]);
    }
    hop.end_row(column.degree, false);
  }
  hop.finish();
}

}  // namespace

std::vector<BlockData> sample_hg_blocks(const GraphView& graph, const TypesOfNodes& types,
                                        const std::vector<int32_t>& seeds, const std::vector<int32_t>& per_type,
                                        const SampleKey& key) {
  if (types.codes && types.num_codes != graph.num_nodes()) {
    throw Error("SHAPE_MISMATCH", "There are types of " + std::to_string(types.num_codes) + " nodes; the graph has " +
                                      std::to_string(graph.num_nodes()) + ".");
  }
  const Leased<Seen> lease;
  Seen& seen = *lease;
  seen.reset(seeds.size() * 16, graph.num_nodes());
  HopBuilder hops(graph, seeds, expected_rows(seeds.size(), {}), false);
  take_nodes(graph, types, seeds, per_type, key, seen);
  for (size_t hop = 0; hop < per_type.size(); ++hop) add_block(graph, seen, hops);
  return hops.take_blocks();
}

}  // namespace gnn
