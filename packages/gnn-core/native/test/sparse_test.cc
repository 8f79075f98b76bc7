// Sums, maxima and softmax over edges, against loops over the edges in float64.
#include <cmath>
#include <limits>

#include "check.h"
#include "gnn/graph/graph_view.h"
#include "gnn/sparse/csr_matmul.h"
#include "gnn/sparse/gather_rows.h"
#include "gnn/sparse/neighbor_means.h"
#include "gnn/sparse/spmm.h"
#include "gnn/sparse/weighted_spmm.h"
#include "random_block.h"

using test::dot, test::doubles, test::expect_near, test::Random, test::RandomBlock;

namespace {

// Narrower than a vector of 16, one vector, several with a tail, and more than one block of columns.
const int64_t kWidths[] = {1, 7, 16, 47, 150};

std::vector<double> weighted_sum(const RandomBlock& block, int64_t dim, const std::vector<double>& edge_weights,
                                 const std::vector<double>& self_weights, const std::vector<double>& x) {
  std::vector<double> out(static_cast<size_t>(block.num_dst() * dim));
  block.for_edges([&](int64_t e, int64_t u, int64_t v) {
    for (int64_t d = 0; d < dim; ++d) out[v * dim + d] += edge_weights[e] * x[u * dim + d];
  });
  for (int64_t i = 0; i < block.num_dst() * dim; ++i) out[i] += self_weights[i / dim] * x[i];
  return out;
}

std::vector<double> mean_weights(const RandomBlock& block) {
  std::vector<double> weights(static_cast<size_t>(block.num_edges()));
  block.for_edges([&](int64_t e, int64_t, int64_t v) { weights[e] = 1.0 / static_cast<double>(block.degree(v)); });
  return weights;
}

// The transpose of weighted_sum.
std::vector<double> transposed(const RandomBlock& block, int64_t dim, const std::vector<double>& edge_weights,
                               const std::vector<double>& self_weights, const std::vector<float>& dy) {
  std::vector<double> dx(static_cast<size_t>(block.num_src() * dim));
  block.for_edges([&](int64_t e, int64_t u, int64_t v) {
    for (int64_t d = 0; d < dim; ++d) dx[u * dim + d] += edge_weights[e] * dy[v * dim + d];
  });
  for (int64_t i = 0; i < block.num_dst() * dim; ++i) dx[i] += self_weights[i / dim] * dy[i];
  return dx;
}

}  // namespace

TEST("spmm_mean is the mean over in-neighbours, and its gradient the transpose") {
  Random random(1);
  const RandomBlock block(random, 700, 600);
  const std::vector<double> weights = mean_weights(block), none(static_cast<size_t>(block.num_dst()));
  for (const int64_t dim : kWidths) {
    const auto x = random.numbers(block.num_src() * dim), dy = random.numbers(block.num_dst() * dim);
    std::vector<float> out(dy.size()), dx(x.size());
    gnn::spmm_mean(block.view(), {x.data(), dim}, out.data());
    expect_near(out, weighted_sum(block, dim, weights, none, doubles(x)), 1e-5, "mean");
    gnn::spmm_mean_grad(block.view(), dim, dy.data(), 0, dx.data());
    expect_near(dx, transposed(block, dim, weights, none, dy), 1e-5, "dx");
  }
}

TEST("spmm_mean_grad adds to the first rows where it is told to") {
  Random random(2);
  const RandomBlock block(random, 40, 30);
  const auto dy = random.numbers(block.num_dst() * 20), before = random.numbers(block.num_src() * 20);
  std::vector<float> dx = before;
  gnn::spmm_mean_grad(block.view(), 20, dy.data(), block.num_dst(), dx.data());
  std::vector<double> expected =
      transposed(block, 20, mean_weights(block), std::vector<double>(static_cast<size_t>(block.num_dst())), dy);
  for (int64_t i = 0; i < block.num_dst() * 20; ++i) expected[i] += before[i];
  expect_near(dx, expected, 1e-5, "dx");
}

TEST("weighted_spmm sums weighted rows and a row of its own, and its gradient is the transpose") {
  Random random(3);
  const RandomBlock block(random, 600, 550);
  const auto edges = random.numbers(block.num_edges()), selves = random.numbers(block.num_dst());
  const gnn::WeightedSum sum{edges.data(), selves.data()};
  for (const int64_t dim : kWidths) {
    const auto x = random.numbers(block.num_src() * dim), dy = random.numbers(block.num_dst() * dim);
    std::vector<float> out(dy.size()), dx(x.size());
    gnn::weighted_spmm(block.view(), dim, sum, x.data(), out.data());
    expect_near(out, weighted_sum(block, dim, doubles(edges), doubles(selves), doubles(x)), 1e-5, "out");
    gnn::weighted_spmm_grad({.block = block.view(),
                             .reverse_edges = block.reverse().edges.data(),
                             .dim = dim,
                             .sum = sum,
                             .dy = dy.data(),
                             .dx = dx.data()});
    expect_near(dx, transposed(block, dim, doubles(edges), doubles(selves), dy), 1e-5, "dx");
  }
}

TEST("sddmm_dot multiplies the rows of both ends of an edge") {
  Random random(4);
  const RandomBlock block(random, 50, 40);
  for (const int64_t dim : kWidths) {
    const auto x = random.numbers(block.num_src() * dim), y = random.numbers(block.num_dst() * dim);
    std::vector<float> out(static_cast<size_t>(block.num_edges()));
    gnn::sddmm_dot(block.view(), dim, x.data(), y.data(), out.data());
    std::vector<double> expected(out.size());
    block.for_edges([&](int64_t e, int64_t u, int64_t v) {
      for (int64_t d = 0; d < dim; ++d) expected[e] += double{x[u * dim + d]} * y[v * dim + d];
    });
    expect_near(out, expected, 1e-5, "products");
  }
}

TEST("spmm_max takes the largest, and splits the gradient among equals") {
  Random random(5);
  const RandomBlock block(random, 60, 50);
  const int64_t dim = 19;
  std::vector<float> x(static_cast<size_t>(block.num_src() * dim));
  for (float& value : x) value = static_cast<float>(random.below(4));  // few values: many are equal
  const auto dy = random.numbers(block.num_dst() * dim);
  std::vector<float> out(dy.size()), share(dy.size()), dx(x.size());
  gnn::spmm_max(block.view(), dim, x.data(), out.data(), share.data());
  std::vector<double> highest(dy.size(), -std::numeric_limits<double>::infinity()), equal(dy.size()), grad(x.size());
  block.for_edges([&](int64_t, int64_t u, int64_t v) {
    for (int64_t d = 0; d < dim; ++d) highest[v * dim + d] = std::fmax(highest[v * dim + d], x[u * dim + d]);
  });
  for (double& value : highest) value = std::isinf(value) ? 0.0 : value;
  block.for_edges([&](int64_t, int64_t u, int64_t v) {
    for (int64_t d = 0; d < dim; ++d) equal[v * dim + d] += x[u * dim + d] == highest[v * dim + d];
  });
  block.for_edges([&](int64_t, int64_t u, int64_t v) {
    for (int64_t d = 0; d < dim; ++d) {
      if (x[u * dim + d] == highest[v * dim + d]) grad[u * dim + d] += dy[v * dim + d] / equal[v * dim + d];
    }
  });
  expect_near(out, highest, 0, "out");
  gnn::spmm_max_grad({.block = block.view(),
                      .dim = dim,
                      .x = x.data(),
                      .out = out.data(),
                      .share = share.data(),
                      .dy = dy.data(),
                      .dx = dx.data()});
  expect_near(dx, grad, 1e-5, "dx");
}

namespace {

std::vector<double> softmax(const RandomBlock& block, int64_t heads, const std::vector<double>& scores) {
  std::vector<double> sums(static_cast<size_t>(block.num_dst() * heads)), out(scores.size());
  block.for_edges([&](int64_t e, int64_t, int64_t v) {
    for (int64_t h = 0; h < heads; ++h) sums[v * heads + h] += std::exp(scores[e * heads + h]);
  });
  block.for_edges([&](int64_t e, int64_t, int64_t v) {
    for (int64_t h = 0; h < heads; ++h) out[e * heads + h] = std::exp(scores[e * heads + h]) / sums[v * heads + h];
  });
  return out;
}

}  // namespace

TEST("edge_softmax and its gradient agree with the formula and its differences") {
  Random random(6);
  const RandomBlock block(random, 20, 15);
  const int64_t heads = 3;
  const auto scores = random.numbers(block.num_edges() * heads), dy = random.numbers(block.num_edges() * heads);
  std::vector<float> out(scores.size()), grad(scores.size());
  gnn::edge_softmax(block.view(), heads, scores.data(), out.data());
  std::vector<double> at = doubles(scores);
  expect_near(out, softmax(block, heads, at), 1e-6, "softmax");
  gnn::edge_softmax_grad(block.view(), heads, out.data(), dy.data(), grad.data());
  expect_near(grad, test::numeric_gradient(at, [&] { return dot(softmax(block, heads, at), dy); }), 1e-5, "gradient");
}

TEST("gcn_norm divides by the roots of both degrees, and scales what was drawn to all in-edges") {
  Random random(7);
  const RandomBlock block(random, 30, 25);
  std::vector<float> degrees(static_cast<size_t>(block.num_src())), weights = random.numbers(block.num_edges());
  for (float& degree : degrees) degree = static_cast<float>(random.below(30));
  for (float& weight : weights) weight = std::fabs(weight) + 0.1f;
  std::vector<float> edges(weights.size()), selves(static_cast<size_t>(block.num_dst()));
  gnn::gcn_norm({.block = block.view(),
                 .weights = weights.data(),
                 .degrees = degrees.data(),
                 .edges = edges.data(),
                 .selves = selves.data()});
  std::vector<double> sums(selves.size()), expected(edges.size()), own(selves.size());
  block.for_edges([&](int64_t e, int64_t, int64_t v) { sums[v] += weights[e]; });
  block.for_edges([&](int64_t e, int64_t u, int64_t v) {
    expected[e] = weights[e] / std::sqrt((degrees[u] + 1.0) * (degrees[v] + 1.0)) * degrees[v] / sums[v];
  });
  for (size_t v = 0; v < own.size(); ++v) own[v] = 1.0 / (degrees[v] + 1.0);
  expect_near(edges, expected, 1e-5, "edges");
  expect_near(selves, own, 1e-6, "selves");
}

TEST("symmetric_norm divides by the roots of both degrees, and a degree of 0 counts as 1") {
  Random random(9);
  const RandomBlock block(random, 30, 25);
  std::vector<float> degrees(static_cast<size_t>(block.num_src())), weights = random.numbers(block.num_edges());
  for (float& degree : degrees) degree = static_cast<float>(random.below(30));
  for (float& weight : weights) weight = std::fabs(weight) + 0.1f;
  std::vector<float> edges(weights.size());
  gnn::symmetric_norm({.block = block.view(), .weights = weights.data(), .degrees = degrees.data(),
                       .edges = edges.data()});
  std::vector<double> sums(static_cast<size_t>(block.num_dst())), expected(edges.size());
  const auto degree_of = [&](int64_t row) { return degrees[row] == 0 ? 1.0 : degrees[row]; };
  block.for_edges([&](int64_t e, int64_t, int64_t v) { sums[v] += weights[e]; });
  block.for_edges([&](int64_t e, int64_t u, int64_t v) {
    expected[e] = weights[e] / std::sqrt(degree_of(u) * degree_of(v)) * degree_of(v) / sums[v];
  });
  expect_near(edges, expected, 1e-6, "edges");
  gnn::symmetric_norm({.block = block.view(), .weights = weights.data(), .importance = weights.data(),
                       .degrees = degrees.data(), .edges = edges.data()});
  block.for_edges([&](int64_t e, int64_t u, int64_t v) {
    expected[e] = double{weights[e]} * weights[e] / std::sqrt(degree_of(u) * degree_of(v));
  });
  expect_near(edges, expected, 1e-6, "edges of blocks with importance");
}

TEST("rows are gathered, put and added up where they belong") {
  Random random(8);
  const int64_t rows = 1100, dim = 70;
  const auto x = random.numbers(rows * dim);
  std::vector<int32_t> shuffled(static_cast<size_t>(rows)), drawn(3000);
  for (int64_t i = 0; i < rows; ++i) shuffled[i] = static_cast<int32_t>((i * 7) % rows);
  for (int32_t& row : drawn) row = static_cast<int32_t>(random.below(rows));
  std::vector<float> put(x.size()), back(x.size());
  gnn::put_rows(rows, dim, x.data(), shuffled.data(), put.data());
  gnn::gather_rows(rows, dim, put.data(), shuffled.data(), back.data());
  test::expect_equal(back, x, "rows put and gathered again");
  const auto dy = random.numbers(static_cast<int64_t>(drawn.size()) * dim);
  std::vector<float> sums(x.size(), 5.0f);
  gnn::scatter_add_rows({.num_rows = static_cast<int64_t>(drawn.size()),
                         .dim = dim,
                         .dy = dy.data(),
                         .rows = drawn.data(),
                         .num_out = rows,
                         .out = sums.data()});
  std::vector<double> expected(x.size());
  for (size_t i = 0; i < dy.size(); ++i) expected[drawn[i / dim] * dim + i % dim] += dy[i];
  expect_near(sums, expected, 1e-5, "sums");
}

TEST("a CSR matrix multiplies as the dense one, and so does its transpose") {
  Random random(9);
  const RandomBlock rows(random, 45, 300);  // its edges as the entries of a matrix
  const int64_t dim = rows.num_src(), out_dim = 37;
  const auto values = random.numbers(rows.num_edges()), weight = random.numbers(dim * out_dim);
  const auto bias = random.numbers(out_dim), dy = random.numbers(rows.num_dst() * out_dim);
  const gnn::BlockView view = rows.view();
  const gnn::CsrView x{rows.num_dst(), dim, view.indptr, view.indices, values.data()};
  std::vector<float> out(dy.size()), d_weight(weight.size());
  gnn::csr_matmul({.x = x, .out_dim = out_dim, .weight = weight.data(), .bias = bias.data(), .with_relu = true,
                   .out = out.data()});
  gnn::csr_matmul_grad(x, out_dim, dy.data(), d_weight.data());
  std::vector<double> expected(out.size()), gradient(weight.size());
  for (size_t i = 0; i < expected.size(); ++i) expected[i] = bias[i % out_dim];
  rows.for_edges([&](int64_t e, int64_t column, int64_t row) {
    for (int64_t d = 0; d < out_dim; ++d) {
      expected[row * out_dim + d] += double{values[e]} * weight[column * out_dim + d];
      gradient[column * out_dim + d] += double{values[e]} * dy[row * out_dim + d];
    }
  });
  for (double& value : expected) value = std::fmax(value, 0.0);
  expect_near(out, expected, 1e-5, "product");
  expect_near(d_weight, gradient, 1e-5, "gradient of the weight");
}

TEST("neighbor_means reads the graph itself to the bits of spmm_mean on a full block") {
  Random random(10);
  const int32_t num_nodes = 300;
  const RandomBlock block(random, num_nodes, num_nodes);
  const gnn::BlockView view = block.view();
  const std::vector<int64_t> indptr(view.indptr, view.indptr + num_nodes + 1);
  const gnn::GraphView graph(num_nodes, {{0, num_nodes, indptr.data(), view.indices, nullptr, block.num_edges()}});
  const int64_t dim = 50;
  const auto x = random.numbers(num_nodes * dim);
  const gnn::FeatureView features{num_nodes, dim, gnn::FeatureDtype::float32, {}, {{0, x.data()}}, {}};
  std::vector<int32_t> nodes(static_cast<size_t>(num_nodes));
  for (int32_t v = 0; v < num_nodes; ++v) nodes[v] = v;
  std::vector<float> means(x.size()), expected(x.size());
  gnn::neighbor_means(
      {.graph = graph, .features = features, .nodes = nodes.data(), .count = num_nodes, .out = means.data()});
  gnn::spmm_mean(view, {x.data(), dim}, expected.data());
  test::expect_equal(means, expected, "means");
  nodes[7] = num_nodes;
  test::expect(test::refuses("SHAPE_MISMATCH",
                             [&] {
                               gnn::neighbor_means({.graph = graph,
                                                    .features = features,
                                                    .nodes = nodes.data(),
                                                    .count = num_nodes,
                                                    .out = means.data()});
                             }),
               "a node outside the graph was taken");
}
