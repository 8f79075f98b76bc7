#include "blocks.h"
#include "check.h"
#include "gnn/cuda/nn/relation_conv.h"

namespace check {
namespace {

using Floats = std::vector<float>;

// The edges of a block by relation, by dst or by src.
struct Lists {
  explicit Lists(const gnn::RelationSegments& host, int64_t num_edges)
      : relations(host.relations, host.relations + host.num_relations + 1),
        rows(host.rows, host.rows + host.num_segments),
        indptr(host.indptr, host.indptr + host.num_segments + 1),
        entries(host.entries, host.entries + num_edges) {}
  std::vector<int32_t> relations, rows, indptr, entries;
};

struct DeviceLists {
  DeviceLists(Stream& stream, const Lists& lists)
      : relations(stream, lists.relations),
        rows(stream, lists.rows),
        indptr(stream, lists.indptr),
        entries(stream, lists.entries),
        view{.num_relations = static_cast<int64_t>(lists.relations.size()) - 1,
             .num_segments = static_cast<int64_t>(lists.rows.size()),
             .relations = relations,
             .rows = rows,
             .indptr = indptr,
             .entries = entries} {}
  OnDevice<int32_t> relations, rows, indptr, entries;
  gnn::RelationSegments view;
};

struct Sizes {
  int64_t num_relations, in_dim, out_dim;
};

// Some relations have many edges, some few, the last one none.
std::vector<int32_t> random_types(int64_t count, int64_t num_relations) {
  std::vector<int32_t> types = random_ints(count, 1000, 9);
  for (int32_t& type : types) type = type % 2 == 0 ? 0 : type % static_cast<int32_t>(num_relations - 1);
  return types;
}

void compare(const HostBlock& block, const Sizes& sizes, bool mean) {
  Stream stream;
  const auto [relations, in, out_dim] = sizes;
  const std::vector<int32_t> types = random_types(block.num_edges(), relations);
  const gnn::RelationLists by_dst = gnn::relations_by_dst(block.view(), types.data(), relations);
  const gnn::RelationLists by_src = gnn::relations_by_src(by_dst.view(), block.num_src);
  const DeviceLists dst(stream, Lists(by_dst.view(), block.num_edges()));
  const DeviceLists src(stream, Lists(by_src.view(), block.num_edges()));
  const Floats x = random_floats(block.num_src * in, 1), w = random_floats(relations * in * out_dim, 2);
  const Floats dy = random_floats(block.num_dst * out_dim, 3);
  Floats out(dy.size()), dx(x.size()), dw(w.size());
  const gnn::RelationSegments host_dst = by_dst.view(), host_src = by_src.view();
  const gnn::RowSource host_x(x.data(), in);
  gnn::relation_conv({host_dst, mean, block.num_dst, out_dim, host_x, w.data(), out.data()});
  gnn::relation_conv_grad({host_dst, &host_src, mean, block.num_src, out_dim, host_x, w.data(), dy.data(), dx.data(),
                           dw.data()});
  const OnDevice<float> rows(stream, x), weights(stream, w), g(stream, dy);
  const OnDevice<float> found(stream, block.num_dst * out_dim), d_rows(stream, block.num_src * in),
      d_weights(stream, relations * in * out_dim), alone(stream, relations * in * out_dim);
  const gnn::RowSource device_x(rows.get(), in);
  gnn::cuda::relation_conv(stream, {dst.view, mean, block.num_dst, out_dim, device_x, weights, found});
  gnn::cuda::relation_conv_grad(
      stream, {dst.view, &src.view, mean, block.num_src, out_dim, device_x, weights, g, d_rows, d_weights});
  gnn::cuda::relation_conv_grad(
      stream, {dst.view, nullptr, mean, block.num_src, out_dim, device_x, weights, g, nullptr, alone});
  const std::string name = std::to_string(block.num_edges()) + " edges of " + std::to_string(relations) +
                           " relations, " + std::to_string(in) + " to " + std::to_string(out_dim) + " columns";
  expect_close(found.read(), out, 1e-5, "out, " + name);
  expect_close(d_rows.read(), dx, 1e-5, "dx, " + name);
  expect_close(d_weights.read(), dw, 1e-5, "d_weights, " + name);
  expect_bits(alone.read(), d_weights.read(), "d_weights without dx, " + name);
}

}  // namespace

DEVICE_TEST("relation_conv and its gradient are the CPU's, for means and sums") {
  for (const HostBlock& block : some_blocks()) {
    for (const Sizes& sizes : {Sizes{3, 5, 4}, Sizes{7, 33, 66}}) {
      for (const bool mean : {true, false}) compare(block, sizes, mean);
    }
  }
}

DEVICE_TEST("relation_conv has more relations than a warp has lanes, and cuts long sums of weights' gradients") {
  compare(random_block(40, 25, 40, 7), {50, 3, 2}, true);
  compare(random_block(90, 1400, 3, 8), {3, 2, 3}, false);
}

DEVICE_TEST("a step of relation_conv starts as many kernels for fifty relations as for two") {
  const auto launches = [](int64_t relations) {
    const int64_t before = static_cast<int64_t>(gnn::device::counters().launches);
    compare(random_block(31, 17, 11, 3), {relations, 5, 4}, true);
    return static_cast<int64_t>(gnn::device::counters().launches) - before;
  };
  const int64_t few = launches(2);
  expect(few == launches(50), "as many for fifty");
  // Three there, four back, and two where x is a constant
  expect(few == 3 + 4 + 2, "nine, not " + std::to_string(few));
}

}  // namespace check
