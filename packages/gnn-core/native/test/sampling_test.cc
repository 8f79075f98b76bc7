// Samplers: what every block must be, whatever was drawn, and that draws are fair.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "check.h"
#include "gnn/rows/list_table.h"
#include "gnn/sampling/edges_left.h"
#include "gnn/sampling/edge_block.h"
#include "gnn/sampling/hg_sampling.h"
#include "gnn/sampling/labor.h"
#include "gnn/sampling/layer_wise.h"
#include "gnn/sampling/reverse_edges.h"
#include "gnn/sampling/sample_blocks.h"
#include "gnn/sampling/sample_hop.h"
#include "gnn/sampling/sample_relations.h"
#include "gnn/sampling/weighted_blocks.h"
#include "random_block.h"

using test::expect, test::expect_equal, test::Random, test::RandomBlock;

namespace {

constexpr int32_t kNodes = 400;

// A graph without repeated edges, weighted.
struct Graph {
  explicit Graph(uint64_t seed) : random(seed), indptr{0} {
    for (int32_t v = 0; v < kNodes; ++v) {
      std::set<int32_t> sources;
      for (int64_t i = v % 5 == 0 ? 0 : random.below(v % 50 == 1 ? 200 : 12); i > 0; --i) {
        sources.insert(static_cast<int32_t>(random.below(kNodes)));
      }
      indices.insert(indices.end(), sources.begin(), sources.end());
      indptr.push_back(static_cast<int64_t>(indices.size()));
    }
    weights = random.numbers(static_cast<int64_t>(indices.size()));
    for (float& weight : weights) weight = std::fabs(weight) + 0.01f;
  }
  gnn::GraphView view(bool weighted) const {
    return {kNodes, {{0, kNodes, indptr.data(), indices.data(), weighted ? weights.data() : nullptr, indptr.back()}}};
  }
  int64_t degree(int32_t v) const { return indptr[v + 1] - indptr[v]; }
  bool has_edge(int32_t u, int32_t v) const {
    return std::binary_search(indices.begin() + indptr[v], indices.begin() + indptr[v + 1], u);
  }

  Random random;
  std::vector<int64_t> indptr;
  std::vector<int32_t> indices;
  std::vector<float> weights;
};

const std::vector<int32_t> kSeeds{3, 51, 7, 399, 101, 201, 17};

// Blocks follow each other, begin with their dst rows, name each node once and hold edges of the graph alone.
void check_blocks(const Graph& graph, const std::vector<gnn::BlockData>& blocks, size_t hops) {
  expect(blocks.size() == hops, "another number of blocks");
  const auto is_prefix = [](const auto& few, const auto& many) { return std::equal(few.begin(), few.end(),
                                                                                   many.begin()); };
  for (size_t i = 0; i < blocks.size(); ++i) {
    const gnn::BlockData& block = blocks[i];
    const auto& dst = i + 1 < blocks.size() ? std::vector<int32_t>(blocks[i + 1].src_ids.begin(),
                                                                   blocks[i + 1].src_ids.end()) : kSeeds;
    expect(block.num_dst == static_cast<int32_t>(dst.size()), "the dst rows are not the src rows of the next block");
    expect(block.num_src == static_cast<int32_t>(block.src_ids.size()) && is_prefix(dst, block.src_ids),
           "src rows do not begin with the dst rows");
    expect(std::set(block.src_ids.begin(), block.src_ids.end()).size() == block.src_ids.size(), "a node has two rows");
    expect(block.indptr.front() == 0 && block.indptr.back() == static_cast<int32_t>(block.indices.size()), "offsets");
    for (int32_t v = 0; v < block.num_dst; ++v) {
      for (int32_t e = block.indptr[v]; e < block.indptr[v + 1]; ++e) {
        expect(block.indices[e] >= 0 && block.indices[e] < block.num_src, "an edge from outside");
        expect(graph.has_edge(block.src_ids[block.indices[e]], block.src_ids[v]),
               "an edge that the graph does not have");
      }
    }
  }
}

bool are_equal(const std::vector<gnn::BlockData>& a, const std::vector<gnn::BlockData>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const gnn::BlockData& x, const gnn::BlockData& y) {
    return x.indptr == y.indptr && x.indices == y.indices && x.src_ids == y.src_ids && x.types == y.types;
  });
}

}  // namespace

TEST("uniform samples have the fanout or the degree, without repeats unless they may") {
  const Graph graph(1);
  const gnn::GraphView view = graph.view(false);
  for (const bool replace : {false, true}) {
    const auto blocks = gnn::sample_blocks(view, kSeeds, {4, -1, 3}, replace, {1, 2, 3});
    check_blocks(graph, blocks, 3);
    const int32_t fanouts[3] = {3, -1, 4};  // from the inputs to the seeds
    for (size_t i = 0; i < 3; ++i) {
      for (int32_t v = 0; v < blocks[i].num_dst; ++v) {
        const int64_t degree = graph.degree(blocks[i].src_ids[v]), fanout = fanouts[i];
        const int64_t expected = fanout < 0 ? degree : replace ? (degree > 0 ? fanout : 0) : std::min(degree, fanout);
        const auto begin = blocks[i].indices.begin() + blocks[i].indptr[v],
            end = blocks[i].indices.begin() + blocks[i].indptr[v + 1];
        expect(end - begin == expected, "another number of neighbours");
        expect(replace || static_cast<int64_t>(std::set(begin, end).size()) == expected, "a neighbour twice");
      }
    }
    expect(are_equal(blocks, gnn::sample_blocks(view, kSeeds, {4, -1, 3}, replace, {1, 2, 3})),
           "other blocks of one key");
    expect(!are_equal(blocks, gnn::sample_blocks(view, kSeeds, {4, -1, 3}, replace, {1, 2, 4})),
           "the same of another key");
  }
  expect(test::refuses("SHAPE_MISMATCH", [&] { gnn::sample_blocks(view, {kNodes}, {2}, false, {1, 2, 3}); }),
         "a seed outside was taken");
}

TEST("every in-neighbour is drawn equally often") {
  const Graph graph(2);
  const gnn::GraphView view = graph.view(false);
  const int32_t node = 51;
  const int64_t degree = graph.degree(node), fanout = degree / 4, rounds = 4000;
  std::map<int32_t, int64_t> times;
  for (int64_t round = 0; round < rounds; ++round) {
    const auto blocks = gnn::sample_blocks(view, {node}, {static_cast<int32_t>(fanout)}, false, {9, 0,
        static_cast<uint64_t>(round)});
    for (const int32_t row : blocks[0].indices) ++times[blocks[0].src_ids[row]];
  }
  const double p = static_cast<double>(fanout) / static_cast<double>(degree);
  const double deviation = std::sqrt(static_cast<double>(rounds) * p * (1 - p));
  for (int64_t e = graph.indptr[node]; e < graph.indptr[node + 1]; ++e) {
    expect(std::fabs(static_cast<double>(times[graph.indices[e]]) - p * rounds) < 5 * deviation,
           "a neighbour is favoured");
  }
}

TEST("importance weights make sums over weighted, LABOR, FastGCN and LADIES samples estimates of the whole") {
  const Graph graph(3);
  const gnn::GraphView view = graph.view(true);
  const std::vector<double> prefix = gnn::fastgcn_distribution(view);
  const auto value = [](int32_t node) { return 1.0 + node % 7; };
  const auto check = [&](const std::string& how,
                         const std::function<std::vector<gnn::BlockData>(const gnn::SampleKey&)>& sample) {
    std::vector<double> sums(kSeeds.size()), whole(kSeeds.size());
    const int rounds = 1500;
    for (int round = 0; round < rounds; ++round) {
      const auto blocks = sample({4, 0, static_cast<uint64_t>(round)});
      check_blocks(graph, blocks, 1);
      expect(blocks[0].has_importance, how + ": no importance");
      for (size_t v = 0; v < kSeeds.size(); ++v) {
        for (int32_t e = blocks[0].indptr[v]; e < blocks[0].indptr[v + 1]; ++e) {
          sums[v] += blocks[0].importance_sum[e] * value(blocks[0].src_ids[blocks[0].indices[e]]) / rounds;
        }
      }
    }
    double total = 0, expected = 0;
    for (size_t v = 0; v < kSeeds.size(); ++v) {
      for (int64_t e = graph.indptr[kSeeds[v]]; e < graph.indptr[kSeeds[v] + 1]; ++e) {
        whole[v] += value(graph.indices[e]);
      }
      total += sums[v], expected += whole[v];
    }
    expect(std::fabs(total - expected) < 0.1 * expected,
           how + ": " + std::to_string(total) + " on average, expected " + std::to_string(expected));
  };
  using Key = const gnn::SampleKey&;
  check("weighted", [&](Key key) { return gnn::sample_weighted_blocks(view, kSeeds, {{6}, false, true}, key); });
  check("LABOR", [&](Key key) { return gnn::sample_labor_blocks(view, kSeeds, {{6}, 1, false, false, false}, key); });
  check("FastGCN", [&](Key key) {
    return gnn::sample_fastgcn_blocks(view, prefix.data(), kSeeds, {{120}, false}, key);
  });
  check("LADIES", [&](Key key) { return gnn::sample_ladies_blocks(view, kSeeds, {{60}, false, false}, key); });
}

TEST("a round of HGSampling takes as many nodes of each type, and all where it may") {
  const Graph graph(6);
  const gnn::GraphView view = graph.view(false);
  std::vector<int32_t> codes(kNodes);
  for (int32_t v = 0; v < kNodes; ++v) codes[v] = v % 10 == 0 ? 1 : 0;
  const gnn::TypesOfNodes types{codes.data(), 2, kNodes};
  const auto blocks = gnn::sample_hg_blocks(view, types, kSeeds, {4, 2}, {1, 2, 3});
  check_blocks(graph, blocks, 2);
  int64_t taken[2] = {0, 0};
  for (size_t row = kSeeds.size(); row < blocks[0].src_ids.size(); ++row) ++taken[codes[blocks[0].src_ids[row]]];
  expect(taken[0] == 6 && taken[1] <= 6 && taken[1] >= 4, "another number of nodes of a type");
  expect(are_equal(blocks, gnn::sample_hg_blocks(view, types, kSeeds, {4, 2}, {1, 2, 3})), "other blocks of one key");
  const auto all = gnn::sample_hg_blocks(view, {nullptr, 1}, kSeeds, {-1}, {1, 2, 3});
  expect(are_equal(all, gnn::sample_blocks(view, kSeeds, {-1}, false, {1, 2, 3})), "not all in-neighbours");
  codes.assign(kNodes, 2);
  expect(test::refuses("SHAPE_MISMATCH", [&] { gnn::sample_hg_blocks(view, types, kSeeds, {4}, {1, 2, 3}); }),
         "a type that there is not was taken");
  const gnn::TypesOfNodes few{codes.data(), 3, kNodes - 1};
  expect(test::refuses("SHAPE_MISMATCH", [&] { gnn::sample_hg_blocks(view, few, kSeeds, {4}, {1, 2, 3}); }),
         "a node without a type was taken");
}

TEST("full and edge blocks hold every in-edge of their nodes, in order") {
  const Graph graph(4);
  const gnn::GraphView view = graph.view(false);
  const gnn::BlockData full = gnn::full_block(view, 50, 30), edges = gnn::edge_block(view, 50, 30);
  for (const gnn::BlockData* block : {&full, &edges}) {
    std::vector<int32_t> sources;
    for (const int32_t row : block->indices) sources.push_back(block->src_ids[row]);
    expect_equal(sources, std::vector<int32_t>(graph.indices.begin() + graph.indptr[50],
                                               graph.indices.begin() + graph.indptr[80]), "sources");
    for (int32_t v = 0; v < 30; ++v) expect(block->src_ids[v] == 50 + v, "the dst rows are not first");
  }
  expect(edges.num_src == 30 + static_cast<int32_t>(edges.indices.size()), "not a row per edge");
}

TEST("a hop whose draws partly come from elsewhere has the bits of one drawn from the whole graph, types too") {
  Graph graph(5);
  std::vector<int32_t> types;
  for (size_t e = 0; e < graph.indices.size(); ++e) types.push_back(static_cast<int32_t>(graph.random.below(4)));
  const int64_t num_edges = graph.indptr.back();
  const gnn::GraphView view(kNodes, {{0, kNodes, graph.indptr.data(), graph.indices.data(), nullptr, num_edges,
                                      types.data()}});
  const gnn::SampleKey key{1, 2, 3};
  const auto whole = gnn::sample_blocks(view, kSeeds, {5}, false, key);
  const gnn::HopDraw draw{5, false, gnn::hop_stream(key, 0)};
  const int32_t middle = 150;
  std::vector<int64_t> own(graph.indptr.begin(), graph.indptr.begin() + middle + 1);
  const gnn::GraphView part(kNodes, {{0, middle, own.data(), graph.indices.data(), nullptr, own.back(), types.data()}},
                            gnn::GraphView::Holds::some);
  const auto foreign = gnn::foreign_nodes(part, kSeeds.data(), static_cast<int64_t>(kSeeds.size()));
  std::vector<int32_t> indptr{0}, entries, drawn_types;
  for (const int32_t node : foreign) {
    const auto drawn = gnn::sample_blocks(view, {node}, {5}, false, key);
    for (const int32_t row : drawn[0].indices) entries.push_back(drawn[0].src_ids[row]);
    drawn_types.insert(drawn_types.end(), drawn[0].types.begin(), drawn[0].types.end());
    indptr.push_back(static_cast<int32_t>(entries.size()));
  }
  const auto num_lists = static_cast<int64_t>(foreign.size());
  const gnn::ForeignDraws draws{indptr.data(), num_lists, entries.data(), nullptr, drawn_types.data()};
  const std::vector<gnn::BlockData> mixed{gnn::sample_hop(part, kSeeds, draw, draws)};
  expect(!foreign.empty() && whole[0].types.size() == whole[0].indices.size() && are_equal(mixed, whole),
         "another block");
  const gnn::ForeignDraws untyped{indptr.data(), num_lists, entries.data(), nullptr};
  expect(test::refuses("SHAPE_MISMATCH", [&] { gnn::sample_hop(part, kSeeds, draw, untyped); }),
         "edges without types were taken");
}

TEST("a hop with a fanout for each relation has the bits of one drawn from the whole graph") {
  Graph graph(9);
  const int64_t num_edges = graph.indptr.back();
  std::vector<int32_t> types(static_cast<size_t>(num_edges));
  for (int32_t v = 0; v < kNodes; ++v) {
    for (int64_t e = graph.indptr[v]; e < graph.indptr[v + 1]; ++e) {
      types[e] = static_cast<int32_t>(graph.random.below(3));
    }
    std::sort(types.begin() + graph.indptr[v], types.begin() + graph.indptr[v + 1]);
  }
  const std::vector<gnn::PartView> parts{
      {0, kNodes, graph.indptr.data(), graph.indices.data(), nullptr, num_edges, types.data()}};
  const gnn::GraphView view(kNodes, parts);
  const gnn::SampleKey key{4, 5, 6};
  const uint64_t stream = gnn::hop_stream(key, 0);
  const std::vector<int32_t> fanouts{2, 0, -1};
  const auto whole = gnn::sample_relation_blocks(view, kSeeds, {fanouts, 3}, false, key);
  const gnn::ForeignDraws nothing{nullptr, 0, nullptr, nullptr};
  const std::vector<gnn::BlockData> hop{gnn::sample_hop(view, kSeeds, {-1, false, stream, fanouts}, nothing)};
  expect(are_equal(hop, whole), "another block");
  const gnn::ListTable lists("lists", {0, kNodes}, 0, parts);
  for (size_t i = 0; i < kSeeds.size(); ++i) {
    gnn::DrawnLists drawn;
    for (int32_t r = 0; r < 3; ++r) {
      lists.draw(&kSeeds[i], 1, {fanouts[r], false, gnn::relation_stream(stream, r), r}, INT64_MAX, drawn);
    }
    std::vector<int32_t> sources;
    for (int32_t e = whole[0].indptr[i]; e < whole[0].indptr[i + 1]; ++e) {
      sources.push_back(whole[0].src_ids[whole[0].indices[e]]);
    }
    expect(drawn.entries == sources, "an owner draws other edges");
  }
  const gnn::HopDraw of_two{-1, false, stream, {2, 2}};
  expect(test::refuses("SHAPE_MISMATCH", [&] { gnn::sample_hop(view, kSeeds, of_two, nothing); }),
         "a relation without a fanout was taken");
}

TEST("edges_left takes out the edges between the nodes of a pair, in both directions, and says where the others were") {
  Random random(7);
  const RandomBlock block(random, 80, 70);
  std::vector<int32_t> ids, src, dst, indices, kept;
  for (int32_t row = 0; row < 80; ++row) ids.push_back(3 * row + 1);
  for (int i = 0; i < 60; ++i) {
    src.push_back(ids[random.below(80)]);
    dst.push_back(i % 20 == 0 ? 100000 : ids[random.below(80)]);
  }
  std::vector<int32_t> indptr(71, 0);
  block.for_edges([&](int64_t e, int64_t u, int64_t v) {
    for (size_t i = 0; i < src.size(); ++i) {
      if ((src[i] == ids[u] && dst[i] == ids[v]) || (src[i] == ids[v] && dst[i] == ids[u])) return;
    }
    indices.push_back(static_cast<int32_t>(u)), kept.push_back(static_cast<int32_t>(e)), ++indptr[v + 1];
  });
  for (size_t v = 0; v < 70; ++v) indptr[v + 1] += indptr[v];
  const gnn::EdgesLeft left = gnn::edges_left(block.view(), ids.data(), {60, src.data(), dst.data()});
  expect(static_cast<int64_t>(kept.size()) < block.num_edges(), "no edge is between them");
  expect_equal(left.indptr, indptr, "indptr");
  expect_equal(left.indices, indices, "indices");
  expect_equal(left.kept, kept, "kept");
  expect(gnn::edges_left(block.view(), ids.data(), {1, src.data(), &dst[0]}).indptr.empty(), "a pair without an edge");
  expect(gnn::edges_left(block.view(), ids.data(), {0, nullptr, nullptr}).indptr.empty(), "no pairs");
}

TEST("reverse_edges lists each edge once by src, in the order by dst") {
  Random random(6);
  const RandomBlock block(random, 80, 70);
  const gnn::ReverseEdges& reverse = block.reverse();
  std::vector<std::vector<int64_t>> by_src(static_cast<size_t>(block.num_src()));
  std::vector<int32_t> indptr{0}, dst, edges;
  std::map<int64_t, int64_t> dst_of;
  block.for_edges([&](int64_t e, int64_t u, int64_t v) { by_src[u].push_back(e), dst_of[e] = v; });
  for (const auto& list : by_src) {
    for (const int64_t e : list) edges.push_back(static_cast<int32_t>(e)),
        dst.push_back(static_cast<int32_t>(dst_of[e]));
    indptr.push_back(static_cast<int32_t>(edges.size()));
  }
  expect_equal(reverse.indptr, indptr, "indptr");
  expect_equal(reverse.indices, dst, "dst");
  expect_equal(reverse.edges, edges, "edges");
}
