// Dropout, activations and the layers, against their formulas in float64; gradients against differences of these.
#include <cmath>

#include "check.h"
#include "gnn/nn/add_activate.h"
#include "gnn/nn/appnp_hop.h"
#include "gnn/nn/bias_activate.h"
#include "gnn/nn/dropout.h"
#include "gnn/nn/gin_sum.h"
#include "gnn/nn/sage_conv.h"
#include "gnn/random/philox.h"
#include "gnn/random/philox_lanes.h"
#include "random_block.h"

using test::dot, test::doubles, test::expect, test::expect_near, test::numeric_gradient, test::Random,
    test::RandomBlock;

namespace {

constexpr gnn::DropoutKey kKey{11, 2, 3, 4};

// Sixteen random bits of an element, spelt out as gnn/nn/dropout.h states the rule.
uint32_t bits_of(uint32_t row, uint32_t column) {
  const uint32_t group = column / 128, half = column % 128 / 16, lane = column % 16;
  uint32_t words[4] = {row, 16 * group + lane, kKey.epoch, kKey.step};
  gnn::philox4x32(words, kKey.seed, kKey.layer);
  return words[half / 2] >> (half % 2 * 16) & 0xffff;
}

double act(gnn::Activation activation, double x) {
  switch (activation) {
    case gnn::Activation::kRelu: return std::fmax(x, 0);
    case gnn::Activation::kElu: return x > 0 ? x : std::expm1(x);
    case gnn::Activation::kLeakyRelu: return x > 0 ? x : 0.2f * x;
    case gnn::Activation::kTanh: return std::tanh(x);
    default: return x;
  }
}

constexpr gnn::Activation kActivations[] = {gnn::Activation::kNone, gnn::Activation::kRelu, gnn::Activation::kElu,
                                            gnn::Activation::kLeakyRelu, gnn::Activation::kTanh};

}  // namespace

TEST("Philox gives the words of Random123's known answers, one by one and in lanes") {
  const uint32_t known[3][10] = {
      {0, 0, 0, 0, 0, 0, 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8},
      {~0u, ~0u, ~0u, ~0u, ~0u, ~0u, 0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd},
      {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0, 0xd16cfe09, 0x94fdcceb, 0x5001e420,
       0x24126ea1}};
  for (const auto& [a, b, c, d, key0, key1, w0, w1, w2, w3] : known) {
    uint32_t one[4] = {a, b, c, d};
    gnn::philox4x32(one, key0, key1);
    gnn::Words lanes[4] = {gnn::Words{} + a, gnn::Words{} + b, gnn::Words{} + c, gnn::Words{} + d};
    gnn::philox_lanes(lanes, key0, key1);
    const uint32_t expected[4] = {w0, w1, w2, w3};
    for (int w = 0; w < 4; ++w) {
      expect(one[w] == expected[w], "word " + std::to_string(w) + " differs");
      for (int lane = 0; lane < gnn::kLanes; ++lane) expect(lanes[w][lane] == expected[w], "a lane differs");
    }
  }
}

TEST("dropout drops what the key says, of dense rows and of the entries of sparse ones") {
  Random random(1);
  const uint32_t threshold = 20000;
  const double scale = 65536.0 / (65536 - threshold);
  for (const int64_t dim : {1, 16, 100, 128, 300}) {
    const int64_t rows = 150;
    const auto x = random.numbers(rows * dim);
    std::vector<int32_t> ids(static_cast<size_t>(rows)), indptr{0}, columns;
    std::vector<double> expected(x.size());
    for (int64_t i = 0; i < rows * dim; ++i) {
      if (i % dim == 0) ids[i / dim] = static_cast<int32_t>(random.below(1 << 30));
      expected[i] = bits_of(ids[i / dim], i % dim) < threshold ? 0 : x[i] * scale;
      columns.push_back(static_cast<int32_t>(i % dim));
      if (i % dim == dim - 1) indptr.push_back(static_cast<int32_t>(i + 1));
    }
    std::vector<float> out(x.size());
    gnn::dropout_rows({.rows = rows, .dim = dim, .x = x.data(), .row_ids = ids.data(), .key = kKey,
                       .threshold = threshold, .out = out.data()});
    expect_near(out, expected, 1e-6, "dense");
    gnn::dropout_csr({rows, dim, indptr.data(), columns.data(), x.data()}, ids.data(), kKey, threshold, out.data());
    expect_near(out, expected, 1e-6, "sparse");
  }
}

TEST("activations behind a bias and behind a sum agree with their formulas and differences") {
  Random random(2);
  const int64_t rows = 40, dim = 21, rows_of_a = 45;
  const auto x = random.numbers(rows_of_a * dim), bias = random.numbers(dim), dy = random.numbers(rows * dim);
  const std::vector<float> own(x.begin(), x.begin() + rows * dim);
  for (const gnn::Activation activation : kActivations) {
    std::vector<float> out(dy.size()), dx(dy.size()), d_bias(bias.size()), da(x.size()), db(dy.size());
    std::vector<double> at = doubles(own), shift = doubles(bias);
    const auto formula = [&] {
      std::vector<double> y;
      for (size_t i = 0; i < at.size(); ++i) y.push_back(act(activation, at[i] + shift[i % dim]));
      return y;
    };
    const auto loss = [&] { return dot(formula(), dy); };
    gnn::bias_activate({.rows = rows, .dim = dim, .x = own.data(), .bias = bias.data(), .activation = activation,
                        .out = out.data()});
    expect_near(out, formula(), 1e-5, "out");
    gnn::bias_activate_grad({.rows = rows, .dim = dim, .out = out.data(), .dy = dy.data(), .activation = activation,
                             .dx = dx.data(), .d_bias = d_bias.data()});
    expect_near(dx, numeric_gradient(at, loss), 1e-4, "dx");
    expect_near(d_bias, numeric_gradient(shift, loss), 1e-4, "gradient of the bias");
    std::vector<float> repeated(dy.size());
    for (size_t i = 0; i < repeated.size(); ++i) repeated[i] = bias[i % dim];
    gnn::add_activate({.rows = rows, .dim = dim, .a = x.data(), .b = repeated.data(), .activation = activation,
                       .out = out.data()});
    expect_near(out, formula(), 1e-5, "sum");
    gnn::add_activate_grad({.rows = rows, .rows_of_a = rows_of_a, .dim = dim, .out = out.data(), .dy = dy.data(),
                            .activation = activation, .da = da.data(), .db = db.data()});
    test::expect_equal(db, dx, "gradient of b");
    dx.resize(x.size());
    test::expect_equal(da, dx, "gradient of a");
  }
}

TEST("gin_sum weighs a row's own by 1 + epsilon, whose gradient is theirs") {
  Random random(3);
  const RandomBlock block(random, 60, 50);
  const int64_t dim = 18;
  const auto weights = random.numbers(block.num_edges()), x = random.numbers(block.num_src() * dim);
  const auto dy = random.numbers(block.num_dst() * dim);
  const float epsilon = 0.25f;
  std::vector<double> at = doubles(x), e{epsilon};
  const auto formula = [&] {
    std::vector<double> out(dy.size());
    block.for_edges([&](int64_t edge, int64_t u, int64_t v) {
      for (int64_t d = 0; d < dim; ++d) out[v * dim + d] += weights[edge] * at[u * dim + d];
    });
    for (size_t i = 0; i < out.size(); ++i) out[i] += (1 + e[0]) * at[i];
    return out;
  };
  const auto loss = [&] { return dot(formula(), dy); };
  std::vector<float> out(dy.size()), dx(x.size()), d_epsilon(1);
  gnn::gin_sum({.block = block.view(), .dim = dim, .edge_weights = weights.data(), .epsilon = &epsilon, .x = x.data(),
                .out = out.data()});
  expect_near(out, formula(), 1e-5, "out");
  gnn::gin_sum_grad({.block = block.view(),
                     .reverse_edges = block.reverse().edges.data(),
                     .dim = dim,
                     .edge_weights = weights.data(),
                     .epsilon = &epsilon,
                     .x = x.data(),
                     .dy = dy.data(),
                     .dx = dx.data(),
                     .d_epsilon = d_epsilon.data()});
  expect_near(dx, numeric_gradient(at, loss), 1e-4, "dx");
  expect_near(d_epsilon, numeric_gradient(e, loss), 1e-4, "gradient of epsilon");
}

TEST("neighbor_weights make what was drawn stand for all in-edges") {
  Random random(4);
  const RandomBlock block(random, 40, 30);
  std::vector<float> degrees(static_cast<size_t>(block.num_src()));
  for (float& degree : degrees) degree = static_cast<float>(1 + random.below(40));
  std::vector<float> edges(static_cast<size_t>(block.num_edges())), selves(static_cast<size_t>(block.num_dst()));
  gnn::neighbor_weights({.block = block.view(), .degrees = degrees.data(), .edges = edges.data(),
                         .selves = selves.data()});
  std::vector<double> expected(edges.size()), own(selves.size());
  block.for_edges([&](int64_t e, int64_t, int64_t v) {
    expected[e] = degrees[v] / static_cast<double>(block.degree(v)) / (degrees[v] + 1.0);
  });
  for (size_t v = 0; v < own.size(); ++v) own[v] = 1 / (degrees[v] + 1.0);
  expect_near(edges, expected, 1e-5, "edges");
  expect_near(selves, own, 1e-6, "selves");
}

TEST("a hop of APPNP mixes the dropped adjacency with the teleport, and its gradient is the transpose") {
  Random random(5);
  const RandomBlock block(random, 60, 45);
  const int64_t dim = 9;
  const float alpha = 0.15f;
  const uint32_t threshold = 25000;
  const auto edges = random.numbers(block.num_edges()), selves = random.numbers(block.num_dst());
  const auto z = random.numbers(block.num_src() * dim), h = random.numbers(block.num_dst() * dim), dy = h;
  std::vector<int32_t> ids(static_cast<size_t>(block.num_src()));
  for (int32_t& id : ids) id = static_cast<int32_t>(random.below(1000));
  const auto kept = [&](int64_t v, int64_t u) {
    uint32_t words[4] = {static_cast<uint32_t>(ids[v]), static_cast<uint32_t>(ids[u]), kKey.epoch, kKey.step};
    gnn::philox4x32(words, kKey.seed, kKey.layer + 65536);
    return (words[0] & 0xffff) < threshold ? 0 : 65536.0 / (65536 - threshold);
  };
  std::vector<double> at = doubles(z), top = doubles(h);
  const auto formula = [&] {
    std::vector<double> out(dy.size());
    block.for_edges([&](int64_t e, int64_t u, int64_t v) {
      for (int64_t d = 0; d < dim; ++d) out[v * dim + d] += (1 - alpha) * kept(v, u) * edges[e] * at[u * dim + d];
    });
    for (int64_t i = 0; i < block.num_dst() * dim; ++i) {
      const int64_t v = i / dim;
      out[i] += (1 - alpha) * kept(v, v) * selves[v] * at[i] + alpha * top[i];
    }
    return out;
  };
  const auto loss = [&] { return dot(formula(), dy); };
  const gnn::AppnpHop hop{dim, alpha, edges.data(), selves.data(), ids.data(), kKey, threshold};
  std::vector<float> out(dy.size()), dz(z.size()), dh(h.size());
  gnn::appnp_hop(block.view(), hop, z.data(), h.data(), out.data());
  expect_near(out, formula(), 1e-5, "out");
  gnn::appnp_hop_grad({.block = block.view(), .reverse_edges = block.reverse().edges.data(), .hop = hop,
                       .dy = dy.data(), .dz = dz.data(), .dh = dh.data()});
  expect_near(dz, numeric_gradient(at, loss), 1e-4, "dz");
  expect_near(dh, numeric_gradient(top, loss), 1e-4, "dh");
}

TEST("GraphSAGE, summing or projecting first and on sparse rows, agrees with its formula and differences") {
  Random random(6);
  const RandomBlock block(random, 30, 24);
  const int64_t in = 6, out_dim = 5;
  const auto x = random.numbers(block.num_src() * in), self = random.numbers(in * out_dim),
      neigh = random.numbers(in * out_dim);
  const auto bias = random.numbers(out_dim), dy = random.numbers(block.num_dst() * out_dim);
  std::vector<double> at = doubles(x), w_self = doubles(self), w_neigh = doubles(neigh), b = doubles(bias);
  const auto formula = [&] {
    std::vector<double> means(static_cast<size_t>(block.num_dst() * in)), out(dy.size());
    block.for_edges([&](int64_t, int64_t u, int64_t v) {
      for (int64_t d = 0; d < in; ++d) means[v * in + d] += at[u * in + d] / static_cast<double>(block.degree(v));
    });
    for (int64_t i = 0; i < block.num_dst() * out_dim; ++i) {
      const int64_t v = i / out_dim, o = i % out_dim;
      out[i] = b[o];
      for (int64_t d = 0; d < in; ++d) {
        out[i] += at[v * in + d] * w_self[d * out_dim + o] + means[v * in + d] * w_neigh[d * out_dim + o];
      }
      out[i] = std::fmax(out[i], 0);
    }
    return out;
  };
  const auto loss = [&] { return dot(formula(), dy); };
  const gnn::SageWeights weights{in, out_dim, self.data(), neigh.data(), bias.data(), true};
  const gnn::RowSource rows(x.data(), in);
  const auto expected = formula();
  const auto ex = numeric_gradient(at, loss), es = numeric_gradient(w_self, loss), en = numeric_gradient(w_neigh,
      loss), eb = numeric_gradient(b, loss);
  std::vector<float> d_self(self.size()), d_neigh(neigh.size()), d_bias(bias.size());
  const gnn::SageGradients gradients{d_self.data(), d_neigh.data(), d_bias.data()};
  const auto check_gradients = [&](const std::string& how) {
    expect_near(d_self, es, 1e-3, how + ": gradient of the own weight");
    expect_near(d_neigh, en, 1e-3, how + ": gradient of the neighbours' weight");
    expect_near(d_bias, eb, 1e-3, how + ": gradient of the bias");
  };
  for (const bool sums_first : {true, false}) {
    std::vector<float> out(dy.size()), dx(x.size()), means(static_cast<size_t>(block.num_dst() * in));
    float* aggregated = sums_first ? means.data() : nullptr;
    gnn::sage_conv({.block = block.view(), .weights = weights, .x = rows, .aggregated = aggregated, .out = out.data()});
    expect_near(out, expected, 1e-5, "out");
    gnn::sage_conv_grad({.block = block.view(), .weights = weights, .x = rows, .aggregated = aggregated,
                         .out = out.data(), .dy = dy.data(), .dx = dx.data(), .gradients = gradients});
    expect_near(dx, ex, 1e-3, "dx");
    check_gradients(sums_first ? "summing first" : "projecting first");
  }
  std::vector<int32_t> indptr{0}, columns;
  for (int64_t i = 0; i < block.num_src() * in; ++i) columns.push_back(static_cast<int32_t>(i % in));
  for (int64_t u = 0; u < block.num_src(); ++u) indptr.push_back(static_cast<int32_t>((u + 1) * in));
  const gnn::CsrView sparse{block.num_src(), in, indptr.data(), columns.data(), x.data()};
  std::vector<float> out(dy.size());
  gnn::sage_conv_csr({.block = block.view(), .weights = weights, .x = sparse, .out = out.data()});
  expect_near(out, expected, 1e-5, "out of sparse rows");
  gnn::sage_conv_csr_grad({.block = block.view(), .weights = weights, .x = sparse, .out = out.data(), .dy = dy.data(),
                           .gradients = gradients});
  check_gradients("sparse rows");
}
