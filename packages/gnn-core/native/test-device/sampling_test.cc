#include <algorithm>
#include <random>

#include "blocks.h"
#include "check.h"
#include "gnn/cuda/sampling/edges_left.h"
#include "gnn/cuda/sampling/exclusive_sum.h"
#include "gnn/cuda/sampling/reverse_edges.h"
#include "gnn/cuda/sampling/sample_blocks.h"
#include "gnn/sampling/edges_left.h"
#include "gnn/sampling/reverse_edges.h"
#include "gnn/sampling/sample_blocks.h"

namespace check {
namespace {

// Columns without edges, short ones, and some longer than any table of positions.
struct HostGraph {
  int32_t num_nodes;
  std::vector<int64_t> indptr{0};
  std::vector<int32_t> indices;
  std::vector<float> weights;
};

HostGraph graph_of(int32_t num_nodes) {
  std::mt19937 random(11);
  HostGraph graph{num_nodes, {0}, {}, {}};
  for (int32_t v = 0; v < num_nodes; ++v) {
    const unsigned degree = v % 17 == 0 ? 0 : v % 50 == 0 ? 400 : random() % 30;
    for (unsigned i = 0; i < degree; ++i)
      graph.indices.push_back(static_cast<int32_t>(random() % static_cast<unsigned>(num_nodes)));
    graph.indptr.push_back(static_cast<int64_t>(graph.indices.size()));
    std::sort(graph.indices.begin() + graph.indptr[static_cast<size_t>(v)], graph.indices.end());
  }
  graph.weights = random_floats(static_cast<int64_t>(graph.indices.size()), 12);
  return graph;
}

template <typename T>
std::vector<T> read(Stream& stream, const gnn::device::Array<T>& array) {
  std::vector<T> values(static_cast<size_t>(array.size()));
  gnn::device::download(values.data(), array.data(), array.size(), stream);
  stream.synchronize();
  return values;
}

template <typename T, typename Other>
std::vector<T> plain(const Other& values) {
  return {values.begin(), values.end()};
}

void expect_same_blocks(const std::vector<int32_t>& seeds, const std::vector<int32_t>& fanouts, bool replace) {
  const HostGraph graph = graph_of(2000);
  const gnn::GraphView view(graph.num_nodes, {{0, graph.num_nodes, graph.indptr.data(), graph.indices.data(),
                                               graph.weights.data(), static_cast<int64_t>(graph.indices.size())}});
  const std::vector<gnn::BlockData> expected = gnn::sample_blocks(view, seeds, fanouts, replace, {5, 6, 7});
  Stream stream;
  const OnDevice<int64_t> indptr(stream, graph.indptr);
  const OnDevice<int32_t> indices(stream, graph.indices), nodes(stream, seeds);
  const OnDevice<float> weights(stream, graph.weights);
  const std::vector<gnn::cuda::BlockData> found =
      gnn::cuda::sample_blocks(stream, {graph.num_nodes, indptr, indices, weights},
                               {nodes, static_cast<int64_t>(seeds.size())}, fanouts, replace, {5, 6, 7});
  expect(found.size() == expected.size(), "a block per hop");
  for (size_t i = 0; i < found.size(); ++i) {
    const std::string block = "block " + std::to_string(i);
    expect(found[i].num_src == expected[i].num_src && found[i].num_dst == expected[i].num_dst,
           block + ": as many rows");
    expect_equal(read(stream, found[i].indptr), plain<int32_t>(expected[i].indptr), block + ", indptr");
    expect_equal(read(stream, found[i].indices), plain<int32_t>(expected[i].indices), block + ", indices");
    expect_equal(read(stream, found[i].src_ids), plain<int32_t>(expected[i].src_ids), block + ", src_ids");
    expect_bits(read(stream, found[i].weights), plain<float>(expected[i].weights), block + ", weights");
  }
}

// A graph as one hop of all of its nodes, with its edges by src.
HostBlock whole_of(const HostGraph& graph) {
  HostBlock whole{graph.num_nodes, graph.num_nodes, plain<int32_t>(graph.indptr), graph.indices, {}, {}, {}};
  const gnn::ReverseEdges reverse = gnn::reverse_edges(whole.view());
  whole.reverse_indptr = plain<int32_t>(reverse.indptr);
  whole.reverse_indices = plain<int32_t>(reverse.indices);
  whole.reverse_edges = plain<int32_t>(reverse.edges);
  return whole;
}

void expect_left(const HostBlock& whole, const std::vector<int32_t>& src, const std::vector<int32_t>& dst) {
  std::vector<int32_t> ids(static_cast<size_t>(whole.num_src));
  for (size_t row = 0; row < ids.size(); ++row) ids[row] = static_cast<int32_t>(row);
  const auto count = static_cast<int64_t>(src.size());
  const gnn::EdgesLeft left = gnn::edges_left(whole.view(), ids.data(), {count, src.data(), dst.data()});
  HostBlock expected = whole;
  if (left.kept.size() > 0 || left.indptr.size() > 0) {
    expected.indptr = plain<int32_t>(left.indptr), expected.indices = plain<int32_t>(left.indices);
  }
  const gnn::ReverseEdges reverse = gnn::reverse_edges(expected.view());
  std::vector<float> degrees;
  for (int64_t v = 0; v < whole.num_dst; ++v) degrees.push_back(static_cast<float>(expected.view().degree(v)));
  Stream stream;
  const DeviceBlock device(stream, whole);
  const OnDevice<int32_t> from(stream, src), to(stream, dst);
  const gnn::cuda::BlockLeft found =
      gnn::cuda::edges_left(stream, {device.view(), device.reverse_edges()}, {count, from, to});
  expect(found.num_edges == expected.num_edges(), "as many edges are left");
  expect_equal(read(stream, found.indptr), expected.indptr, "indptr");
  expect_equal(read(stream, found.indices), expected.indices, "indices");
  expect_equal(read(stream, found.reverse_indptr), plain<int32_t>(reverse.indptr), "reverse_indptr");
  expect_equal(read(stream, found.reverse_indices), plain<int32_t>(reverse.indices), "reverse_indices");
  expect_equal(read(stream, found.reverse_edges), plain<int32_t>(reverse.edges), "reverse_edges");
  expect_bits(read(stream, found.degrees), degrees, "degrees");
}

}  // namespace

DEVICE_TEST("edges_left of a whole graph are the CPU's, by dst and src: parallel edges, loops, pairs named twice") {
  const HostGraph graph = graph_of(2000);
  const HostBlock whole = whole_of(graph);
  std::vector<int32_t> src, dst;
  for (int32_t v = 0; v < 2000; v += 7) {
    if (graph.indptr[static_cast<size_t>(v)] == graph.indptr[static_cast<size_t>(v) + 1]) continue;
    src.push_back(graph.indices[static_cast<size_t>(graph.indptr[static_cast<size_t>(v)])]);
    dst.push_back(v);
  }
  std::vector<int32_t> swapped = dst;
  swapped.insert(swapped.end(), src.begin(), src.end());
  std::vector<int32_t> both = src;
  both.insert(both.end(), dst.begin(), dst.end());
  expect_left(whole, src, dst);
  expect_left(whole, both, swapped);
  expect_left(whole, {3, 17, 5}, {3, 17, 1999});
  expect_left(whole, {}, {});
}

DEVICE_TEST("edges_left leaves nothing of a graph whose every edge goes, and nothing of none") {
  const HostGraph two{2, {0, 3, 5}, {0, 1, 1, 0, 0}, {}}, none{3, {0, 0, 0, 0}, {}, {}};
  expect_left(whole_of(two), {0, 0}, {0, 1});
  expect_left(whole_of(none), {0, 2}, {1, 2});
}

DEVICE_TEST("exclusive_sum adds up within a block and over more of them than a block has threads") {
  for (const int64_t count : {0, 1, 1024, 1025, 3000}) {
    Stream stream;
    const std::vector<int32_t> values = random_ints(count, 100, 1);
    std::vector<int32_t> expected{0};
    for (const int32_t value : values) expected.push_back(expected.back() + value);
    const OnDevice<int32_t> sums(stream, count + 1);
    gnn::cuda::exclusive_sum(stream, count, OnDevice<int32_t>(stream, values), sums);
    expect_equal(sums.read(), expected, std::to_string(count) + " values");
  }
}

DEVICE_TEST("reverse_edges are the CPU's, for a src of many edges, too") {
  std::vector<HostBlock> blocks = some_blocks();
  blocks.push_back(random_block(3, 60, 60, 7));  // 1,800 edges of three src rows
  blocks.push_back(random_block(40, 3000, 150, 8));  // more edges than a window has, 5,600 to a src row
  for (const HostBlock& block : blocks) {
    Stream stream;
    const DeviceBlock device(stream, block);
    const OnDevice<int32_t> indptr(stream, block.num_src + 1), indices(stream, block.num_edges()),
        edges(stream, block.num_edges());
    gnn::cuda::reverse_edges(stream, device.view(), {indptr, indices, edges});
    expect_equal(indptr.read(), block.reverse_indptr, "indptr");
    expect_equal(indices.read(), block.reverse_indices, "indices");
    expect_equal(edges.read(), block.reverse_edges, "edges");
  }
}

DEVICE_TEST("sample_blocks has the CPU's blocks, with and without replacement, and for all in-neighbours") {
  const std::vector<int32_t> seeds = {50, 0, 1999, 1, 100, 7};
  for (const bool replace : {false, true}) expect_same_blocks(seeds, {7, 5, 3}, replace);
  expect_same_blocks(seeds, {-1, 2}, false);
}

DEVICE_TEST("sample_blocks gives repeated seeds rows of their own, as the CPU does") {
  expect_same_blocks({50, 3, 50, 3, 8}, {10, 4}, false);
}

DEVICE_TEST("sample_blocks has the CPU's blocks where nobody has in-neighbours") {
  expect_same_blocks({0, 17, 34}, {10, 4}, false);
}

}  // namespace check
