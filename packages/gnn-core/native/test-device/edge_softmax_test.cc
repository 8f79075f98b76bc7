#include "blocks.h"
#include "check.h"
#include "gnn/cuda/sparse/weighted_spmm.h"

namespace check {

DEVICE_TEST("edge_softmax and its gradient are the CPU's") {
  for (const HostBlock& block : some_blocks()) {
    for (const int64_t heads : {1, 3}) {
      Stream stream;
      const DeviceBlock device(stream, block);
      const int64_t count = block.num_edges() * heads;
      const std::vector<float> scores = random_floats(count, 1), dy = random_floats(count, 2);
      std::vector<float> expected(scores.size()), d_expected(scores.size());
      gnn::edge_softmax(block.view(), heads, scores.data(), expected.data());
      gnn::edge_softmax_grad(block.view(), heads, expected.data(), dy.data(), d_expected.data());
      const OnDevice<float> out(stream, count), d_scores(stream, count);
      gnn::cuda::edge_softmax(stream, device.view(), heads, OnDevice<float>(stream, scores), out);
      gnn::cuda::edge_softmax_grad(stream, device.view(), heads, out, OnDevice<float>(stream, dy), d_scores);
      expect_close(out.read(), expected, 1e-6, std::to_string(count) + " scores");
      expect_close(d_scores.read(), d_expected, 1e-5, std::to_string(count) + " scores, gradient");
    }
  }
}

DEVICE_TEST("gcn_norm is the CPU's, with weights, importance and neither") {
  for (const HostBlock& block : some_blocks()) {
    for (const int kind : {0, 1, 2}) {
      Stream stream;
      const DeviceBlock device(stream, block);
      std::vector<float> weights = random_floats(block.num_edges(), 1), degrees = random_floats(block.num_src, 2);
      for (float& weight : weights) weight += 1.5f;
      for (float& degree : degrees) degree = 10 * (degree + 1);
      std::vector<float> edges(weights.size()), selves(static_cast<size_t>(block.num_dst));
      gnn::gcn_norm({.block = block.view(),
                     .weights = kind > 0 ? weights.data() : nullptr,
                     .importance = kind > 1 ? weights.data() : nullptr,
                     .degrees = degrees.data(),
                     .edges = edges.data(),
                     .selves = selves.data()});
      const OnDevice<float> w(stream, weights), d(stream, degrees), e(stream, block.num_edges()),
          s(stream, block.num_dst);
      gnn::cuda::gcn_norm(stream, {.block = device.view(),
                                   .weights = kind > 0 ? w.get() : nullptr,
                                   .importance = kind > 1 ? w.get() : nullptr,
                                   .degrees = d,
                                   .edges = e,
                                   .selves = s});
      expect_close(e.read(), edges, 1e-6, "edges");
      expect_close(s.read(), selves, 1e-6, "selves");
    }
  }
}

DEVICE_TEST("symmetric_norm has the CPU's bits, and is near them where the edges have weights") {
  for (const HostBlock& block : some_blocks()) {
    for (const int kind : {0, 1, 2}) {
      Stream stream;
      const DeviceBlock device(stream, block);
      std::vector<float> weights = random_floats(block.num_edges(), 1), degrees = random_floats(block.num_src, 2);
      for (float& weight : weights) weight += 1.5f;
      for (size_t row = 0; row < degrees.size(); ++row) degrees[row] = row % 3 == 0 ? 0.0f : 10 * (degrees[row] + 1);
      std::vector<float> edges(weights.size());
      gnn::symmetric_norm({.block = block.view(),
                           .weights = kind > 0 ? weights.data() : nullptr,
                           .importance = kind > 1 ? weights.data() : nullptr,
                           .degrees = degrees.data(),
                           .edges = edges.data()});
      const OnDevice<float> w(stream, weights), d(stream, degrees), e(stream, block.num_edges());
      gnn::cuda::symmetric_norm(stream, {.block = device.view(),
                                         .weights = kind > 0 ? w.get() : nullptr,
                                         .importance = kind > 1 ? w.get() : nullptr,
                                         .degrees = d,
                                         .edges = e});
      if (kind == 0) expect_bits(e.read(), edges, "edges");
      else expect_close(e.read(), edges, 1e-6, "edges");
    }
  }
}

}  // namespace check
