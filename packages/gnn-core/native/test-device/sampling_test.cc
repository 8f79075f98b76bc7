#include <algorithm>
#include <random>

#include "blocks.h"
#include "check.h"
#include "gnn/cuda/sampling/exclusive_sum.h"
#include "gnn/cuda/sampling/reverse_edges.h"
#include "gnn/cuda/sampling/sample_blocks.h"
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

}  // namespace

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
