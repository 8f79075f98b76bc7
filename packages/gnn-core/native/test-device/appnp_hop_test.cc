#include "blocks.h"
#include "check.h"
#include "gnn/cuda/nn/appnp_hop.h"

namespace check {
namespace {

using Floats = std::vector<float>;

void expect_same_hop(const HostBlock& block, int64_t dim, uint32_t threshold) {
  Stream stream;
  const DeviceBlock device(stream, block);
  const std::vector<int32_t> ids = random_ints(block.num_src, 1 << 30, 9);
  const Floats weights = random_floats(block.num_edges(), 1), selves = random_floats(block.num_dst, 2),
               z = random_floats(block.num_src * dim, 3), h = random_floats(block.num_dst * dim, 4);
  const OnDevice<int32_t> of_ids(stream, ids);
  const OnDevice<float> of_edges(stream, weights), of_selves(stream, selves), rows(stream, z), teleport(stream, h),
      out(stream, block.num_dst * dim), dz(stream, block.num_src * dim), dh(stream, h);
  const gnn::AppnpHop hop{dim, 0.1f, weights.data(), selves.data(), ids.data(), {1, 2, 3, 4}, threshold};
  gnn::AppnpHop there = hop;
  there.edge_weights = of_edges, there.self_weights = of_selves, there.src_ids = of_ids;

  Floats expected(h.size()), expected_dz(z.size()), expected_dh = h;
  gnn::appnp_hop(block.view(), hop, z.data(), h.data(), expected.data());
  gnn::cuda::appnp_hop(stream, device.view(), there, rows, teleport, out);
  expect_close(out.read(), expected, 1e-5, "out");
  gnn::appnp_hop_grad(
      {block.view(), block.reverse_edges.data(), hop, h.data(), expected_dz.data(), expected_dh.data()});
  gnn::cuda::appnp_hop_grad(stream, {device.view(), device.reverse_edges(), there, teleport, dz, dh});
  expect_close(dz.read(), expected_dz, 1e-5, "dz");
  expect_close(dh.read(), expected_dh, 1e-5, "dh, which is added to");
}

}  // namespace

DEVICE_TEST("appnp_hop and its gradient are the CPU's, and drop the entries that the CPU's drop") {
  for (const HostBlock& block : some_blocks()) {
    expect_same_hop(block, 47, 0);
    expect_same_hop(block, 8, 20000);
  }
}

}  // namespace check
