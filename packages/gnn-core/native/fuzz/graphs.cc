#include "graphs.h"

#include <algorithm>
#include <limits>

#include "gnn/sampling/reverse_edges.h"

namespace fuzz {
namespace {

float some_weight(Source& source) {
  if (source.chance(90)) return static_cast<float>(source.uniform());
  return source.one_of<float>({0.0f, -0.0f, 1e-45f, 1e-30f, 3e38f, 1.0f, 1e-5f});
}

// Relations of the last `degree` edges, whose sources ascend in each.
void add_types(Source& source, Part& part, int64_t degree) {
  auto src = part.indices.end() - degree;
  for (int32_t type = 0; type < kRelations; ++type) {
    const int64_t left = part.indices.end() - src;
    const int64_t count = type + 1 == kRelations ? left : source.between(0, left);
    std::sort(src, src + count);
    part.types.insert(part.types.end(), count, type);
    src += count;
  }
}

// A column's sources ascend; with relations they ascend in each.
Part some_part(Source& source, int32_t nodes, int32_t num_nodes, bool weighted, bool typed) {
  Part part;
  part.indptr.push_back(0);
  for (int32_t i = 0; i < nodes; ++i) {
    const int64_t degree = source.chance(3) ? source.between(60, 400) : source.between(0, 12);
    for (int64_t e = 0; e < degree; ++e) part.indices.push_back(static_cast<int32_t>(source.below(num_nodes)));
    if (typed) {
      add_types(source, part, degree);
    } else {
      std::sort(part.indices.end() - degree, part.indices.end());
    }
    part.indptr.push_back(static_cast<int64_t>(part.indices.size()));
  }
  for (size_t e = 0; weighted && e < part.indices.size(); ++e) part.weights.push_back(some_weight(source));
  return part;
}

void damage(Source& source, Part& part) {
  for (int64_t i = source.between(1, 3); i > 0; --i) {
    const int64_t kind = source.below(4);
    if (kind == 0 && part.indptr.size() > 2) {
      part.indptr[1 + source.below(static_cast<int64_t>(part.indptr.size()) - 2)] = source.odd_integer();
    } else if (kind == 1 && !part.indices.empty()) {
      part.indices[source.below(static_cast<int64_t>(part.indices.size()))] =
          static_cast<int32_t>(source.odd_integer());
    } else if (kind == 2 && !part.weights.empty()) {
      constexpr float kNan = std::numeric_limits<float>::quiet_NaN(),
                      kInfinity = std::numeric_limits<float>::infinity();
      part.weights[source.below(static_cast<int64_t>(part.weights.size()))] =
          source.one_of<float>({kNan, kInfinity, -kInfinity, -1.0f});
    } else if (kind == 3 && !part.types.empty()) {
      part.types[source.below(static_cast<int64_t>(part.types.size()))] = static_cast<int32_t>(source.odd_integer());
    }
  }
}

}  // namespace

std::vector<gnn::PartView> Graph::views() const {
  std::vector<gnn::PartView> all;
  int32_t first = 0;
  static constexpr float kNone = 0.0f;
  static constexpr int32_t kNoType = 0;
  for (const Part& part : parts) {
    const auto nodes = static_cast<int32_t>(part.indptr.size()) - 1;
    const float* weights = !weighted ? nullptr : part.weights.empty() ? &kNone : part.weights.data();
    const int32_t* types = !typed ? nullptr : part.types.empty() ? &kNoType : part.types.data();
    all.push_back({first, nodes, part.indptr.data(), part.indices.data(), weights,
                   static_cast<int64_t>(part.indices.size()), types});
    first += nodes;
  }
  return all;
}

Graph some_graph(Source& source, bool typed) {
  Graph graph;
  graph.num_nodes = static_cast<int32_t>(source.one_of<int64_t>({1, 2, 5, 20, 60}));
  graph.weighted = source.chance(50);
  graph.typed = typed;
  graph.damaged = source.chance(60);
  for (int32_t first = 0; first < graph.num_nodes;) {
    const auto nodes =
        static_cast<int32_t>(source.chance(60) ? graph.num_nodes - first : source.between(1, graph.num_nodes - first));
    graph.parts.push_back(some_part(source, nodes, graph.num_nodes, graph.weighted, typed));
    first += nodes;
  }
  if (graph.damaged) damage(source, graph.parts[source.below(static_cast<int64_t>(graph.parts.size()))]);
  return graph;
}

std::vector<int32_t> some_nodes(Source& source, int32_t num_nodes) {
  std::vector<int32_t> nodes(source.between(0, 12));
  for (int32_t& node : nodes) node = static_cast<int32_t>(source.below(num_nodes));
  if (!nodes.empty() && source.chance(5)) nodes[0] = static_cast<int32_t>(source.odd_integer());
  return nodes;
}

std::vector<int32_t> some_fanouts(Source& source) {
  std::vector<int32_t> fanouts(source.between(1, 3));
  for (int32_t& fanout : fanouts) fanout = static_cast<int32_t>(source.one_of<int64_t>({-1, 0, 1, 2, 5, 10, 70, 300}));
  return fanouts;
}

void check(const gnn::BlockData& block, int32_t num_nodes) {
  expect(block.indptr.size() == static_cast<size_t>(block.num_dst) + 1, "a block has another number of rows");
  expect(block.indptr[0] == 0 && std::is_sorted(block.indptr.begin(), block.indptr.end()), "rows of a block overlap");
  expect(block.indptr[block.num_dst] == static_cast<int32_t>(block.indices.size()), "a block has lost edges");
  expect(block.src_ids.size() == static_cast<size_t>(block.num_src), "a row of a block has no node");
  for (const int32_t row : block.indices) expect(row >= 0 && row < block.num_src, "an edge of a block has no row");
  for (const int32_t node : block.src_ids) expect(node >= 0 && node < num_nodes, "a row of a block is no node");
  expect(!block.weighted || block.weights.size() == block.indices.size(), "an edge of a block has no weight");
  const gnn::ReverseEdges reverse =
      gnn::reverse_edges({.num_src = block.num_src,
                          .num_dst = block.num_dst,
                          .num_edges = static_cast<int64_t>(block.indices.size()),
                          .indptr = block.indptr.data(),
                          .indices = block.indices.data()});
  expect(reverse.indices.size() == block.indices.size(), "a block has other edges in reverse");
}

}  // namespace fuzz
