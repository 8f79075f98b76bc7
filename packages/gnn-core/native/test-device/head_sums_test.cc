#include "blocks.h"
#include "check.h"
#include "gnn/cuda/nn/head_sums.h"

namespace check {
namespace {

using Floats = std::vector<float>;

void compare(const HostBlock& block, int64_t heads, int64_t dim) {
  Stream stream;
  const DeviceBlock device(stream, block);
  const gnn::HeadShape host_shape{block.view(), heads, dim}, shape{device.view(), heads, dim};
  const int64_t width = heads * dim, num_edges = block.num_edges();
  const Floats w = random_floats(num_edges * heads, 1), x = random_floats(block.num_src * width, 2);
  const Floats y = random_floats(block.num_dst * width, 3);
  Floats out(y.size()), dx(x.size()), products(w.size());
  gnn::head_sum(host_shape, w.data(), x.data(), out.data());
  gnn::head_sum_grad(host_shape, block.reverse_edges.data(), w.data(), y.data(), dx.data());
  gnn::head_dot(host_shape, x.data(), y.data(), products.data());
  const OnDevice<float> weights(stream, w), of_src(stream, x), of_dst(stream, y);
  const OnDevice<float> sums(stream, block.num_dst * width), d_src(stream, block.num_src * width),
      dots(stream, num_edges * heads);
  gnn::cuda::head_sum(stream, shape, weights, of_src, sums);
  gnn::cuda::head_sum_grad(stream, shape, device.reverse_edges(), weights, of_dst, d_src);
  gnn::cuda::head_dot(stream, shape, of_src, of_dst, dots);
  const std::string name =
      std::to_string(num_edges) + " edges, " + std::to_string(heads) + " heads of " + std::to_string(dim);
  expect_close(sums.read(), out, 1e-6, "sums, " + name);
  expect_close(d_src.read(), dx, 1e-6, "dx, " + name);
  expect_close(dots.read(), products, 1e-5, "products, " + name);
}

}  // namespace

DEVICE_TEST("head_sum, its gradient and head_dot are the CPU's") {
  for (const HostBlock& block : some_blocks()) {
    for (const int64_t heads : {1, 3, 8}) {
      for (const int64_t dim : {1, 5, 24}) compare(block, heads, dim);
    }
  }
}

}  // namespace check
