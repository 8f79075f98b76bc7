#include "blocks.h"
#include "check.h"
#include "gnn/cuda/nn/gin_sum.h"

namespace check {
namespace {

using Floats = std::vector<float>;

}  // namespace

DEVICE_TEST("gin_sum and its gradient are the CPU's, with epsilon on the device") {
  for (const HostBlock& block : some_blocks()) {
    for (const int64_t dim : {3, 100}) {
      Stream stream;
      const DeviceBlock device(stream, block);
      const Floats x = random_floats(block.num_src * dim, 1), dy = random_floats(block.num_dst * dim, 2),
                   weights = random_floats(block.num_edges(), 3), epsilon{0.25f};
      Floats out(dy.size()), dx(x.size()), d_epsilon(1);
      gnn::gin_sum({block.view(), dim, weights.data(), epsilon.data(), x.data(), out.data()});
      gnn::gin_sum_grad({block.view(), block.reverse_edges.data(), dim, weights.data(), epsilon.data(), x.data(),
                         dy.data(), dx.data(), d_epsilon.data()});
      const OnDevice<float> rows(stream, x), g(stream, dy), w(stream, weights), e(stream, epsilon),
          sums(stream, block.num_dst * dim), d_rows(stream, block.num_src * dim), d_e(stream, 1);
      gnn::cuda::gin_sum(stream, {device.view(), dim, w, e, rows, sums});
      gnn::cuda::gin_sum_grad(stream, {device.view(), device.reverse_edges(), dim, w, e, rows, g, d_rows, d_e});
      expect_close(sums.read(), out, 1e-6, "out");
      expect_close(d_rows.read(), dx, 1e-6, "dx");
      expect_close(d_e.read(), d_epsilon, 1e-6, "d_epsilon");
    }
  }
}

DEVICE_TEST("neighbor_weights are the CPU's, with weights, importance and neither, for sums and means") {
  for (const HostBlock& block : some_blocks()) {
    for (const int kind : {0, 1, 2}) {
      Stream stream;
      const DeviceBlock device(stream, block);
      Floats weights = random_floats(block.num_edges(), 1), degrees = random_floats(block.num_src, 2);
      for (float& weight : weights) weight += 1.5f;
      for (float& degree : degrees) degree = 10 * (degree + 1);
      Floats edges(weights.size()), selves(static_cast<size_t>(block.num_dst));
      const OnDevice<float> w(stream, weights), d(stream, degrees), e(stream, block.num_edges()),
          s(stream, block.num_dst);
      gnn::neighbor_weights({block.view(), kind > 0 ? weights.data() : nullptr, kind > 1 ? weights.data() : nullptr,
                             degrees.data(), edges.data(), kind > 0 ? selves.data() : nullptr});
      gnn::cuda::neighbor_weights(stream, {device.view(), kind > 0 ? w.get() : nullptr, kind > 1 ? w.get() : nullptr, d,
                                           e, kind > 0 ? s.get() : nullptr});
      expect_close(e.read(), edges, 1e-6, "edges");
      if (kind > 0) expect_close(s.read(), selves, 1e-6, "selves");
    }
  }
}

}  // namespace check
