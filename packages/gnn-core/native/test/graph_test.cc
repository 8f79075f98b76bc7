// Building, reversing, cutting and relabelling graphs, against sets of edges.
#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "check.h"
#include "gnn/cluster/induced_subgraph.h"
#include "gnn/graph/csc.h"
#include "gnn/graph/in_degrees.h"
#include "gnn/graph/message_graph.h"
#include "gnn/partition/partition.h"

using test::expect, test::expect_equal, test::Random;

namespace {

using Edge = std::pair<int32_t, int32_t>;  // src, dst

struct Coo {
  std::vector<int32_t> src, dst;
  gnn::CooRows rows() const { return {src.data(), dst.data(), static_cast<int64_t>(src.size())}; }
};

Coo random_edges(Random& random, int32_t num_nodes, int64_t count) {
  Coo edges;
  for (int64_t i = 0; i < count; ++i) {
    edges.src.push_back(static_cast<int32_t>(random.below(num_nodes)));
    edges.dst.push_back(static_cast<int32_t>(random.below(num_nodes)));
  }
  return edges;
}

template <typename Indptr, typename Indices>
std::vector<Edge> edges_of(const Indptr& indptr, const Indices& indices) {
  std::vector<Edge> edges;
  for (size_t v = 0; v + 1 < indptr.size(); ++v) {
    for (auto e = indptr[v]; e < indptr[v + 1]; ++e) edges.emplace_back(indices[e], static_cast<int32_t>(v));
  }
  return edges;
}

std::vector<Edge> sorted(std::vector<Edge> edges) {
  std::sort(edges.begin(), edges.end());
  return edges;
}

}  // namespace

TEST("csc_from_coo sorts edges into columns, keeps or drops repeats and loops, and counts them") {
  Random random(1);
  const int32_t n = 40;
  const Coo coo = random_edges(random, n, 900);
  for (int flags = 0; flags < 8; ++flags) {
    const gnn::CscOptions options{(flags & 1) != 0, (flags & 2) != 0, (flags & 4) != 0};
    const gnn::Csc csc = gnn::csc_from_coo(coo.rows(), n, options);
    std::vector<Edge> expected;
    std::set<Edge> seen;
    int64_t loops = 0;
    for (size_t i = 0; i < coo.src.size(); ++i) {
      const Edge edge{coo.src[i], coo.dst[i]}, back{edge.second, edge.first};
      const bool is_loop = edge.first == edge.second;
      loops += is_loop;
      for (const Edge& each : options.both_directions && !is_loop ? std::vector<Edge>{edge,
                                                                                      back} : std::vector<Edge>{edge}) {
        if (options.drop_self_loops && is_loop) continue;
        if (seen.insert(each).second || !options.drop_duplicates) expected.push_back(each);
      }
    }
    expect(edges_of(csc.indptr, csc.indices) == [&] {
      std::sort(expected.begin(), expected.end(), [](const Edge& a, const Edge& b) {
        return std::pair(a.second, a.first) < std::pair(b.second, b.first);
      });
      return expected;
    }(), "other edges with flags " + std::to_string(flags));
    expect(csc.num_self_loops == loops, "other self-loops");
    const auto edges = edges_of(csc.indptr, csc.indices);
    for (size_t e = 0; e < edges.size(); ++e) {
      const uint32_t row = csc.edge_ids[e];
      const Edge from{coo.src[row], coo.dst[row]};
      expect(from == edges[e] || (options.both_directions && Edge{from.second, from.first} == edges[e]),
             "an edge has another row");
    }
  }
  const Coo outside{{0}, {n}};
  expect(test::refuses("DATASET_NODE_UNKNOWN", [&] { gnn::csc_from_coo(outside.rows(), n, {}); }),
         "an id outside was taken");
}

TEST("a reversed graph has every edge the other way, a bidirected one both ways, and degrees count in-edges") {
  Random random(2);
  const int32_t n = 30;
  const gnn::Csc csc = gnn::csc_from_coo(random_edges(random, n, 200).rows(), n, {});
  const auto weights = random.numbers(static_cast<int64_t>(csc.indices.size()));
  const int64_t half = csc.indptr[n / 2];
  std::vector<int64_t> second(csc.indptr.begin() + n / 2, csc.indptr.end());
  for (int64_t& offset : second) offset -= half;
  const gnn::GraphView graph(n, {{0, n / 2, csc.indptr.data(), csc.indices.data(), weights.data(), half},
                                 {n / 2, n / 2, second.data(), csc.indices.data() + half, weights.data() + half,
                                  static_cast<int64_t>(csc.indices.size()) - half}});
  const std::vector<Edge> edges = edges_of(csc.indptr, csc.indices);
  std::vector<Edge> back;
  for (const auto& [src, dst] : edges) back.emplace_back(dst, src);
  const auto joined = [&](const gnn::MessageGraph& message) {
    std::vector<Edge> all;
    for (size_t part = 0; part < message.parts.size(); ++part) {
      for (const auto& [src, dst] : edges_of(message.parts[part].indptr, message.parts[part].indices)) {
        all.emplace_back(src, dst + static_cast<int32_t>(part) * n / 2);
      }
    }
    return sorted(all);
  };
  expect(joined(gnn::reverse_graph(graph)) == sorted(back), "other edges in the reverse");
  back.insert(back.end(), edges.begin(), edges.end());
  expect(joined(gnn::bidirected_graph(graph)) == sorted(back), "other edges both ways");
  std::vector<double> degrees(static_cast<size_t>(n));
  std::vector<int32_t> nodes;
  for (size_t e = 0; e < edges.size(); ++e) degrees[edges[e].second] += weights[e];
  for (int32_t v = 0; v < n; ++v) nodes.push_back(v);
  test::expect_near(gnn::in_degrees(graph, nodes), degrees, 1e-5, "degrees");
}

TEST("an induced subgraph holds the edges with both ends in it") {
  Random random(3);
  const int32_t n = 30;
  const gnn::Csc csc = gnn::csc_from_coo(random_edges(random, n, 300).rows(), n, {});
  const gnn::GraphView graph(n, {{0, n, csc.indptr.data(), csc.indices.data(), nullptr,
                                  static_cast<int64_t>(csc.indices.size())}});
  const std::vector<int32_t> nodes{1, 4, 5, 9, 12, 13, 20, 29};
  const gnn::Subgraph found = gnn::induced_subgraph(graph, nodes);
  std::vector<Edge> expected;
  for (const auto& [src, dst] : edges_of(csc.indptr, csc.indices)) {
    const auto u = std::find(nodes.begin(), nodes.end(), src), v = std::find(nodes.begin(), nodes.end(), dst);
    if (u != nodes.end() && v != nodes.end()) {
      expected.emplace_back(static_cast<int32_t>(u - nodes.begin()), static_cast<int32_t>(v - nodes.begin()));
    }
  }
  expect(edges_of(found.indptr, found.indices) == expected, "other edges");
  expect(test::refuses("SHAPE_MISMATCH", [&] { gnn::induced_subgraph(graph, {4, 1}); }),
         "nodes out of order were taken");
}

TEST("METIS gets both directions of every edge once, and relabelled columns name the edges that they had") {
  Random random(4);
  const int32_t n = 25;
  const gnn::Csc csc = gnn::csc_from_coo(random_edges(random, n, 150).rows(), n, {});
  std::set<Edge> both;
  for (const auto& [src, dst] : edges_of(csc.indptr, csc.indices)) {
    if (src != dst) both.insert({src, dst}), both.insert({dst, src});
  }
  const gnn::Adjacency adjacency = gnn::symmetrize(csc.indptr.data(), csc.indices.data(), n);
  expect(sorted(edges_of(adjacency.xadj, adjacency.adjncy)) == std::vector<Edge>(both.begin(), both.end()),
         "other pairs");
  std::vector<int32_t> node_map, global_ids(static_cast<size_t>(n));
  for (int32_t i = 0; i < n; ++i) node_map.push_back(i * 7 % n), global_ids[i * 7 % n] = i;
  const int64_t first = 5, count = 12;
  const gnn::RelabelledColumns columns = gnn::relabel_columns({.indptr = csc.indptr.data(),
                                                               .indices = csc.indices.data(),
                                                               .node_map = node_map.data(),
                                                               .global_ids = global_ids.data(), .first = first,
                                                               .count = count});
  for (int64_t i = 0; i < count; ++i) {
    const int32_t node = node_map[first + i];
    expect(columns.indptr[i + 1] - columns.indptr[i] == csc.indptr[node + 1] - csc.indptr[node], "another degree");
    for (int64_t e = columns.indptr[i]; e < columns.indptr[i + 1]; ++e) {
      const int64_t edge = columns.edge_map[e];
      expect(edge >= csc.indptr[node] && edge < csc.indptr[node + 1], "an edge of another column");
      expect(columns.indices[e] == global_ids[csc.indices[edge]], "another src");
      expect(e == columns.indptr[i] || columns.indices[e - 1] <= columns.indices[e], "sources do not ascend");
    }
  }
}
