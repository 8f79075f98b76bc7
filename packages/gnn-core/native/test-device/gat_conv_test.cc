#include <cmath>

#include "blocks.h"
#include "check.h"
#include "gnn/cuda/nn/gat_conv.h"

namespace check {
namespace {

using Floats = std::vector<float>;

struct Sizes {
  int64_t src, dst, edges, dy;
};

Sizes sizes_of(const HostBlock& block, const gnn::GatShape& shape) {
  const int64_t width = shape.heads * shape.dim;
  return {block.num_src, block.num_dst, (block.num_edges() + block.num_dst) * shape.heads,
          block.num_dst * (shape.mean_heads ? shape.dim : width)};
}

size_t size(int64_t count) { return static_cast<size_t>(count); }

void expect_same_attention(const HostBlock& block, gnn::GatShape shape) {
  Stream stream;
  const DeviceBlock device(stream, block);
  const Sizes n = sizes_of(block, shape);
  const int64_t heads = shape.heads, width = heads * shape.dim;
  const std::vector<int32_t> ids = random_ints(n.src, 1 << 30, 9);
  const OnDevice<int32_t> src_ids(stream, ids);
  const Floats z = random_floats(n.src * width, 1), of_src = random_floats(width, 2), of_dst = random_floats(width, 3),
               dy = random_floats(n.dy, 4);
  const OnDevice<float> rows(stream, z), a_src(stream, of_src), a_dst(stream, of_dst), g(stream, dy);

  Floats score_src(size(n.src * heads)), score_dst(size(n.dst * heads)), alpha(size(n.edges)), out(size(n.dy));
  const OnDevice<float> d_score_src(stream, n.src * heads), d_score_dst(stream, n.dst * heads),
      d_alpha(stream, n.edges), d_out(stream, n.dy);
  shape.src_ids = ids.data();
  gnn::gat_conv({block.view(),
                 shape,
                 {of_src.data(), of_dst.data()},
                 z.data(),
                 score_src.data(),
                 score_dst.data(),
                 alpha.data(),
                 out.data()});
  gnn::GatShape on_device = shape;
  on_device.src_ids = src_ids;
  gnn::cuda::gat_conv(stream,
                      {device.view(), on_device, {a_src, a_dst}, rows, d_score_src, d_score_dst, d_alpha, d_out});
  expect_close(d_score_src.read(), score_src, 1e-5, "score_src");
  expect_close(d_alpha.read(), alpha, 1e-5, "alpha");
  expect_close(d_out.read(), out, 1e-5, "out");
  const Floats found = d_alpha.read();
  for (size_t i = 0; i < found.size(); ++i)
    expect(std::signbit(found[i]) == std::signbit(alpha[i]), "the same edges are dropped");

  Floats dz(z.size()), d_src(of_src.size()), d_dst(of_dst.size());
  gnn::gat_conv_grad({block.view(),
                      block.reverse_edges.data(),
                      shape,
                      {of_src.data(), of_dst.data()},
                      {z.data(), score_src.data(), score_dst.data(), alpha.data()},
                      dy.data(),
                      {dz.data(), d_src.data(), d_dst.data()}});
  const OnDevice<float> d_rows(stream, n.src * width), d_a_src(stream, width), d_a_dst(stream, width);
  gnn::cuda::gat_conv_grad(stream, {device.view(),
                                    device.reverse_edges(),
                                    on_device,
                                    {a_src, a_dst},
                                    {rows, d_score_src, d_score_dst, d_alpha},
                                    g,
                                    {d_rows, d_a_src, d_a_dst}});
  expect_close(d_rows.read(), dz, 1e-5, "dz");
  expect_close(d_a_src.read(), d_src, 1e-5, "d_src");
  expect_close(d_a_dst.read(), d_dst, 1e-5, "d_dst");
}

gnn::GatShape shape_of(int64_t heads, int64_t dim, bool mean_heads, uint32_t threshold) {
  return {heads, dim, 0.2f, mean_heads, nullptr, {1, 2, 3, 4}, threshold};
}

}  // namespace

DEVICE_TEST("gat_conv and its gradient are the CPU's for one head and several, side by side and averaged") {
  for (const HostBlock& block : some_blocks()) {
    expect_same_attention(block, shape_of(1, 47, false, 0));
    expect_same_attention(block, shape_of(3, 8, false, 0));
    expect_same_attention(block, shape_of(3, 40, true, 0));
  }
}

DEVICE_TEST("gat_conv drops the attention that the CPU's drops, over more heads than one draw serves") {
  for (const HostBlock& block : some_blocks()) expect_same_attention(block, shape_of(9, 4, false, 20000));
}

}  // namespace check
