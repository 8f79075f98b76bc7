#include <functional>

#include "blocks.h"
#include "check.h"
#include "gnn/cuda/sparse/spmm.h"
#include "gnn/cuda/sparse/weighted_spmm.h"
#include "gnn/sparse/spmm.h"

namespace check {
namespace {

using Floats = std::vector<float>;

// What a kernel reads and writes, of one block at one width.
struct Case {
  Stream& stream;
  const HostBlock& host;
  const gnn::BlockView device;
  const int32_t* reverse_edges;
  int64_t dim;
  std::string name;

  Floats of_src(unsigned seed) const { return random_floats(host.num_src * dim, seed); }
  Floats of_dst(unsigned seed) const { return random_floats(host.num_dst * dim, seed); }
  OnDevice<float> on_device(const Floats& values) const { return OnDevice<float>(stream, values); }
};

// Widths of one column, less than a warp, whole vectors, and more than a warp of those.
void for_each_case(const std::function<void(const Case&)>& body) {
  for (const HostBlock& block : some_blocks()) {
    for (const int64_t dim : {1, 3, 47, 100, 256}) {
      Stream stream;
      const DeviceBlock device(stream, block);
      body({stream, block, device.view(), device.reverse_edges(), dim,
            std::to_string(block.num_edges()) + " edges, dim " + std::to_string(dim)});
    }
  }
}

}  // namespace

DEVICE_TEST("spmm_mean has the CPU's bits") {
  for_each_case([](const Case& c) {
    const Floats x = c.of_src(1);
    Floats expected(static_cast<size_t>(c.host.num_dst * c.dim));
    gnn::spmm_mean(c.host.view(), gnn::RowSource(x.data(), c.dim), expected.data());
    const OnDevice<float> out(c.stream, c.host.num_dst * c.dim);
    gnn::cuda::spmm_mean(c.stream, c.device, c.dim, c.on_device(x), out);
    expect_bits(out.read(), expected, c.name);
  });
}

DEVICE_TEST("spmm_mean_grad is the CPU's, by edges by src and by atomics") {
  for_each_case([](const Case& c) {
    const Floats dy = c.of_dst(1), before = c.of_src(2);
    for (const int64_t accumulate_until : {int64_t{0}, c.host.num_dst}) {
      Floats expected = before;
      gnn::spmm_mean_grad(c.host.view(), c.dim, dy.data(), accumulate_until, expected.data());
      const OnDevice<float> dx(c.stream, before), g(c.stream, dy), added(c.stream, before);
      gnn::cuda::spmm_mean_grad(c.stream, c.device, c.dim, g, accumulate_until, dx);
      expect_close(dx.read(), expected, 1e-6, c.name);
      if (accumulate_until > 0) continue;
      gnn::cuda::spmm_mean_grad_atomic(c.stream, c.device, c.dim, g, added);
      expect_close(added.read(), expected, 1e-6, c.name + ", atomic");
    }
  });
}

DEVICE_TEST("spmm_mean reads rows that are not aligned to vectors") {
  Stream stream;
  const HostBlock block = random_block(20, 10, 5, 1);
  const DeviceBlock device(stream, block);
  const Floats x = random_floats(20 * 8 + 1, 1);
  Floats expected(80);
  gnn::spmm_mean(block.view(), gnn::RowSource(x.data() + 1, 8), expected.data());
  const OnDevice<float> rows(stream, x), out(stream, 80);
  gnn::cuda::spmm_mean(stream, device.view(), 8, rows + 1, out);
  expect_bits(out.read(), expected, "from the second float on");
}

DEVICE_TEST("weighted_spmm and its gradient are the CPU's, with and without weights") {
  for_each_case([](const Case& c) {
    const Floats x = c.of_src(1), dy = c.of_dst(2), edges = random_floats(c.host.num_edges(), 3);
    const Floats selves = random_floats(c.host.num_dst, 4);
    const OnDevice<float> rows(c.stream, x), g(c.stream, dy), edge_weights(c.stream, edges),
        self_weights(c.stream, selves);
    for (const bool is_weighted : {true, false}) {
      const gnn::WeightedSum host{is_weighted ? edges.data() : nullptr, is_weighted ? selves.data() : nullptr};
      const gnn::WeightedSum device{is_weighted ? edge_weights.get() : nullptr,
                                    is_weighted ? self_weights.get() : nullptr};
      Floats expected(dy.size()), d_expected(x.size());
      gnn::weighted_spmm(c.host.view(), c.dim, host, x.data(), expected.data());
      gnn::weighted_spmm_grad({.block = c.host.view(),
                               .reverse_edges = c.host.reverse_edges.data(),
                               .dim = c.dim,
                               .sum = host,
                               .dy = dy.data(),
                               .dx = d_expected.data()});
      const OnDevice<float> out(c.stream, c.host.num_dst * c.dim), dx(c.stream, c.host.num_src * c.dim);
      gnn::cuda::weighted_spmm(c.stream, c.device, c.dim, device, rows, out);
      gnn::cuda::weighted_spmm_grad(c.stream, {.block = c.device,
                                               .reverse_edges = c.reverse_edges,
                                               .dim = c.dim,
                                               .sum = device,
                                               .dy = g,
                                               .dx = dx});
      expect_close(out.read(), expected, 1e-6, c.name);
      expect_close(dx.read(), d_expected, 1e-6, c.name + ", gradient");
    }
  });
}

DEVICE_TEST("sddmm_dot is the CPU's") {
  for_each_case([](const Case& c) {
    const Floats x = c.of_src(1), y = c.of_dst(2);
    Floats expected(static_cast<size_t>(c.host.num_edges()));
    gnn::sddmm_dot(c.host.view(), c.dim, x.data(), y.data(), expected.data());
    const OnDevice<float> out(c.stream, c.host.num_edges());
    gnn::cuda::sddmm_dot(c.stream, c.device, c.dim, c.on_device(x), c.on_device(y), out);
    expect_close(out.read(), expected, 1e-6, c.name);
  });
}

DEVICE_TEST("spmm_max and its gradient are the CPU's, ties included") {
  for_each_case([](const Case& c) {
    Floats x = c.of_src(1);
    for (float& value : x) value = static_cast<float>(static_cast<int>(value * 3));  // five values: many are equal
    const Floats dy = c.of_dst(2);
    Floats expected(dy.size()), share(dy.size()), d_expected(x.size());
    gnn::spmm_max(c.host.view(), c.dim, x.data(), expected.data(), share.data());
    gnn::spmm_max_grad({.block = c.host.view(),
                        .dim = c.dim,
                        .x = x.data(),
                        .out = expected.data(),
                        .share = share.data(),
                        .dy = dy.data(),
                        .dx = d_expected.data()});
    const OnDevice<float> rows(c.stream, x), g(c.stream, dy), out(c.stream, c.host.num_dst * c.dim),
        shares(c.stream, c.host.num_dst * c.dim), dx(c.stream, c.host.num_src * c.dim);
    gnn::cuda::spmm_max(c.stream, c.device, c.dim, rows, out, shares);
    gnn::cuda::spmm_max_grad(
        c.stream, {.block = c.device, .dim = c.dim, .x = rows, .out = out, .share = shares, .dy = g, .dx = dx});
    expect_bits(out.read(), expected, c.name);
    expect_bits(shares.read(), share, c.name + ", shares");
    expect_close(dx.read(), d_expected, 1e-6, c.name + ", gradient");
  });
}

}  // namespace check
