// Attention against its formula in float64, edge by edge; its gradients against differences of that.
#include <cmath>

#include "check.h"
#include "gnn/nn/gat_conv.h"
#include "gnn/random/philox.h"
#include "random_block.h"

using test::dot, test::doubles, test::expect_near, test::numeric_gradient, test::Random, test::RandomBlock;

namespace {

struct Attention {
  const RandomBlock& block;
  gnn::GatShape shape;
  std::vector<double> z, src, dst;

  // 0 or 1 / (1 - rate), spelt out as gnn/nn/gat_conv.h states the rule.
  double kept(int64_t v, int64_t u, int64_t h) const {
    uint32_t words[4] = {static_cast<uint32_t>(shape.src_ids[v]), static_cast<uint32_t>(shape.src_ids[u]),
                         shape.key.epoch, shape.key.step};
    gnn::philox4x32(words, shape.key.seed, shape.key.layer + 65536 * static_cast<uint32_t>(1 + h / 8));
    const uint32_t bits = words[h % 8 / 2] >> (h % 2 * 16) & 0xffff;
    return bits < shape.threshold ? 0 : 65536.0 / (65536 - shape.threshold);
  }

  double score(int64_t u, int64_t v, int64_t h) const {
    double sum = 0;
    for (int64_t d = 0; d < shape.dim; ++d) {
      const int64_t at = h * shape.dim + d, width = shape.heads * shape.dim;
      sum += src[at] * z[u * width + at] + dst[at] * z[v * width + at];
    }
    return sum > 0 ? sum : shape.slope * sum;
  }

  std::vector<double> out() const {
    const int64_t heads = shape.heads, dim = shape.dim, out_dim = shape.mean_heads ? dim : heads * dim;
    std::vector<double> sums(static_cast<size_t>(block.num_dst() * heads)),
        out(static_cast<size_t>(block.num_dst() * out_dim));
    // Edges from v to itself give way to the one self-loop, which every row has.
    const auto for_all = [&](auto&& visit) {
      block.for_edges([&](int64_t, int64_t u, int64_t v) {
        if (u != v) visit(u, v);
      });
      for (int64_t v = 0; v < block.num_dst(); ++v) visit(v, v);
    };
    for_all([&](int64_t u, int64_t v) {
      for (int64_t h = 0; h < heads; ++h) sums[v * heads + h] += std::exp(score(u, v, h));
    });
    for_all([&](int64_t u, int64_t v) {
      for (int64_t h = 0; h < heads; ++h) {
        const double alpha = std::exp(score(u, v, h)) / sums[v * heads + h] * kept(v, u, h);
        for (int64_t d = 0; d < dim; ++d) {
          const double message = alpha * z[(u * heads + h) * dim + d];
          out[v * out_dim + (shape.mean_heads ? d :
                             h * dim + d)] += shape.mean_heads ? message / static_cast<double>(heads) : message;
        }
      }
    });
    return out;
  }
};

void check(int64_t heads, int64_t dim, bool mean_heads, uint32_t threshold) {
  Random random(static_cast<uint64_t>(heads * 100 + dim));
  const RandomBlock block(random, 14, 12);
  std::vector<int32_t> ids(static_cast<size_t>(block.num_src()));
  for (int32_t& id : ids) id = static_cast<int32_t>(random.below(1 << 20));
  const gnn::GatShape shape{heads, dim, 0.2f, mean_heads, ids.data(), {7, 1, 2, 3}, threshold};
  const int64_t width = heads * dim;
  const auto z = random.numbers(block.num_src() * width), src = random.numbers(width), dst = random.numbers(width);
  const auto dy = random.numbers(block.num_dst() * (mean_heads ? dim : width));
  std::vector<float> score_src(static_cast<size_t>(block.num_src() * heads)),
      score_dst(static_cast<size_t>(block.num_dst() * heads));
  std::vector<float> alpha(static_cast<size_t>((block.num_edges() + block.num_dst()) * heads)), out(dy.size());
  gnn::gat_conv({.block = block.view(),
                 .shape = shape,
                 .attention = {src.data(), dst.data()},
                 .z = z.data(),
                 .score_src = score_src.data(),
                 .score_dst = score_dst.data(),
                 .alpha = alpha.data(),
                 .out = out.data()});
  Attention formula{block, shape, doubles(z), doubles(src), doubles(dst)};
  const std::string how = std::to_string(heads) + " heads of " + std::to_string(dim);
  expect_near(out, formula.out(), 1e-5, how);
  std::vector<float> dz(z.size()), d_src(src.size()), d_dst(dst.size());
  gnn::gat_conv_grad({.block = block.view(),
                      .reverse_edges = block.reverse().edges.data(),
                      .shape = shape,
                      .attention = {src.data(), dst.data()},
                      .saved = {z.data(), score_src.data(), score_dst.data(), alpha.data()},
                      .dy = dy.data(),
                      .gradients = {dz.data(), d_src.data(), d_dst.data()}});
  const auto loss = [&] { return dot(formula.out(), dy); };
  expect_near(dz, numeric_gradient(formula.z, loss), 1e-3, how + ": dz");
  expect_near(d_src, numeric_gradient(formula.src, loss), 1e-3, how + ": gradient of attention by src");
  expect_near(d_dst, numeric_gradient(formula.dst, loss), 1e-3, how + ": gradient of attention by dst");
}

}  // namespace

TEST("attention agrees with its formula and differences, with one head and several, joined and averaged") {
  check(1, 5, false, 0);
  check(1, 17, true, 0);
  check(3, 4, false, 0);
  check(2, 3, true, 0);
}

TEST("attention is dropped by the ids of both ends, by head, and its gradient knows") {
  check(1, 5, false, 20000);
  check(9, 2, true, 30000);
}
