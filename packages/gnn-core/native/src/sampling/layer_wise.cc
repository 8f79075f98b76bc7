#include "gnn/sampling/layer_wise.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gnn/graph/in_degrees.h"
#include "gnn/sampling/draw_nodes.h"
#include "gnn/runtime/leased.h"
#include "gnn/sampling/hop_builder.h"

namespace gnn {
namespace {

// Working memory of one batch, kept for the next.
struct Workspace {
  RowMap nodes;                    // FastGCN: those drawn; LADIES: in-neighbours of the dst rows
  std::vector<double> importance;  // by row of `nodes`
  std::vector<int32_t> rows;       // of every in-edge of the dst rows, its row of `nodes`
  std::vector<double> q;           // by row of `nodes`
};

const float* weight_at(const Column& column, int64_t i) { return column.weights ? column.weights + i : nullptr; }

void take_all(const Column& column, HopBuilder& hop) {
  for (int64_t i = 0; i < column.degree; ++i) hop.add(column.src[i], weight_at(column, i), 1.0);
}

size_t expected_layer_rows(size_t num_seeds, const std::vector<int32_t>& layer_sizes) {
  size_t rows = num_seeds;
  for (const int32_t size : layer_sizes) rows += size < 0 ? rows * 8 : static_cast<size_t>(size);
  return std::min(rows, size_t{1000000});
}

void draw_fastgcn_layer(const GraphView& graph, const double* distribution, int32_t size, uint64_t stream,
                        Workspace& memory) {
  memory.nodes.reset(static_cast<size_t>(size), graph.num_nodes());
  memory.importance.clear();
  for (const int32_t node : draw_with_replacement(distribution, graph.num_nodes(), size, NodeRng(stream, 0))) {
    const double q = distribution[node] - (node > 0 ? distribution[node - 1] : 0.0);
    const auto row = static_cast<size_t>(memory.nodes.row_of(node));
    if (row == memory.importance.size()) memory.importance.push_back(0.0);
    memory.importance[row] += 1.0 / (size * q);
  }
}

void sample_fastgcn_hop(const GraphView& graph, const double* distribution, int32_t size, uint64_t stream,
                        bool normalise, Workspace& memory, HopBuilder& hop) {
  const bool takes_all = size < 0;
  if (!takes_all && hop.num_dst() > 0) draw_fastgcn_layer(graph, distribution, size, stream, memory);
  for (int32_t row = 0; row < hop.num_dst(); ++row) {
    const Column column = graph.column(hop.dst_nodes()[row]);
    if (takes_all) take_all(column, hop);
    for (int64_t i = 0; !takes_all && i < column.degree; ++i) {
      const int32_t drawn = memory.nodes.find_row(column.src[i]);
      if (drawn >= 0) hop.add(column.src[i], weight_at(column, i), memory.importance[drawn]);
    }
    hop.end_row(column.degree, normalise);
  }
}

// Rows and q of the dst rows' in-neighbours.
void weigh_candidates(const GraphView& graph, const HopBuilder& hop, Workspace& memory) {
  memory.nodes.reset(static_cast<size_t>(hop.num_dst()) * 8, graph.num_nodes());
  memory.rows.clear();
  memory.q.clear();
  for (int32_t row = 0; row < hop.num_dst(); ++row) {
    const Column column = graph.column(hop.dst_nodes()[row]);
    const double share = 1.0 / static_cast<double>(column.degree);
    for (int64_t i = 0; i < column.degree; ++i) {
      const int32_t candidate = memory.nodes.row_of(column.src[i]);
      if (static_cast<size_t>(candidate) == memory.q.size()) memory.q.push_back(0.0);
      memory.q[candidate] += share * share;
      memory.rows.push_back(candidate);
    }
  }
}

void draw_ladies_layer(int32_t size, bool replace, uint64_t stream, Workspace& memory) {
  std::vector<double>& q = memory.q;
  const double total = std::accumulate(q.begin(), q.end(), 0.0);
  for (double& each : q) each /= total;
  if (size < 0 || !replace) {
    memory.importance = draw_without_replacement(q, memory.nodes.data(), size, stream);
    return;
  }
  memory.importance.assign(q.size(), 0.0);
  std::vector<double> prefix(q.size());
  std::partial_sum(q.begin(), q.end(), prefix.begin());
  const auto num_places = static_cast<int64_t>(q.size());
  for (const int32_t place : draw_with_replacement(prefix.data(), num_places, size, NodeRng(stream, 0))) {
    memory.importance[place] += 1.0 / (size * q[place]);
  }
}

void sample_ladies_hop(const GraphView& graph, int32_t size, const LadiesOptions& options, uint64_t stream,
                       Workspace& memory, HopBuilder& hop) {
  weigh_candidates(graph, hop, memory);
  if (!memory.q.empty()) draw_ladies_layer(size, options.replace, stream, memory);
  const int32_t* rows = memory.rows.data();
  for (int32_t row = 0; row < hop.num_dst(); ++row) {
    const Column column = graph.column(hop.dst_nodes()[row]);
    for (int64_t i = 0; i < column.degree; ++i) {
      const double importance = memory.importance[*rows++];
      if (importance > 0.0) hop.add(column.src[i], weight_at(column, i), importance);
    }
    hop.end_row(column.degree, options.normalise);
  }
}

}  // namespace

std::vector<double> fastgcn_distribution(const GraphView& graph) {
  graph.require_valid();
  std::vector<int32_t> nodes(graph.num_nodes());
  std::iota(nodes.begin(), nodes.end(), 0);
  const std::vector<float> degrees = in_degrees(graph, nodes);
  // Negative weights may leave nothing of a degree; every node can be drawn all the same.
  const auto inverse = [&](int32_t node) { return 1.0 / std::max(1.0, 1.0 + degrees[node]); };
  std::vector<double> q(nodes.size());
  for (const int32_t u : nodes) q[u] = inverse(u);  // of the self-loop, times d_u
  for (const int32_t v : nodes) {
    const Column column = graph.column(v);
    for (int64_t i = 0; i < column.degree; ++i) {
      const double weight = column.weights ? column.weights[i] : 1.0;
      // A self-loop has its place in the matrix with that of the identity: (w + 1)^2 = w^2 + 2 w + 1.
      q[column.src[i]] += (weight * weight + (column.src[i] == v ? 2.0 * weight : 0.0)) * inverse(v);
    }
  }
  double total = 0.0;
  for (const int32_t u : nodes) q[u] = total += q[u] * inverse(u);
  if (!nodes.empty() && !std::isfinite(total)) {
    throw Error("DATASET_VALUE_INVALID",
                "Some edge weights are not finite; nodes cannot be drawn in proportion to them.");
  }
  for (double& prefix : q) prefix /= total;
  return q;
}

std::vector<BlockData> sample_fastgcn_blocks(const GraphView& graph, const double* distribution,
                                             const std::vector<int32_t>& seeds, const FastGcnOptions& options,
                                             const SampleKey& key) {
  const Leased<Workspace> lease;
  Workspace& memory = *lease;
  HopBuilder hops(graph, seeds, expected_layer_rows(seeds.size(), options.layer_sizes), true);
  for (size_t hop = 0; hop < options.layer_sizes.size(); ++hop) {
    hops.begin();
    sample_fastgcn_hop(graph, distribution, options.layer_sizes[hop], hop_stream(key, hop), options.normalise, memory,
                       hops);
    hops.finish();
  }
  return hops.take_blocks();
}

std::vector<BlockData> sample_ladies_blocks(const GraphView& graph, const std::vector<int32_t>& seeds,
                                            const LadiesOptions& options, const SampleKey& key) {
  const Leased<Workspace> lease;
  Workspace& memory = *lease;
  HopBuilder hops(graph, seeds, expected_layer_rows(seeds.size(), options.layer_sizes), true);
  for (size_t hop = 0; hop < options.layer_sizes.size(); ++hop) {
    hops.begin();
    sample_ladies_hop(graph, options.layer_sizes[hop], options, hop_stream(key, hop), memory, hops);
    hops.finish();
  }
  return hops.take_blocks();
}

}  // namespace gnn
