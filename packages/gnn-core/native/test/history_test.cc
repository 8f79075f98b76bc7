// Whole-neighbourhood sums, control variates, claims and sums of sparse rows, against loops in float64.
#include <cmath>

#include "check.h"
#include "gnn/graph/graph_view.h"
#include "gnn/history/csr_row_sums.h"
#include "gnn/history/neighbor_sum.h"
#include "gnn/history/row_claims.h"
#include "random_block.h"

using test::expect_near, test::Random, test::RandomBlock;

namespace {

// A graph whose node v has the in-edges of row v of a square block.
struct BlockGraph {
  explicit BlockGraph(const RandomBlock& block)
      : indptr(block.view().indptr, block.view().indptr + block.num_dst() + 1),
        view(static_cast<int32_t>(block.num_src()),
             {{0, static_cast<int32_t>(block.num_src()), indptr.data(), block.view().indices, nullptr,
               block.num_edges()}}) {}
  std::vector<int64_t> indptr;
  gnn::GraphView view;
};

std::vector<double> normalised(const RandomBlock& block, const std::vector<float>& roots, int64_t dim,
                               const std::vector<float>& x) {
  std::vector<double> out(x.size());
  block.for_edges([&](int64_t, int64_t u, int64_t v) {
    for (int64_t d = 0; d < dim; ++d) out[v * dim + d] += double{roots[u]} * roots[v] * x[u * dim + d];
  });
  for (size_t i = 0; i < x.size(); ++i) out[i] += double{roots[i / dim]} * roots[i / dim] * x[i];
  return out;
}

}  // namespace

TEST("sums over whole neighbourhoods, and control variates that are exact where history is") {
  Random random(1);
  const int32_t n = 90;
  const int64_t dim = 20;
  const RandomBlock block(random, n, n);
  const BlockGraph graph(block);
  const auto x = random.numbers(n * dim), history = random.numbers(n * dim);
  std::vector<float> roots = random.numbers(n), out(x.size()), ones(static_cast<size_t>(block.num_edges()), 1.0f);
  std::vector<int32_t> nodes(static_cast<size_t>(n));
  for (int32_t v = 0; v < n; ++v) nodes[v] = v;
  gnn::sum_neighbors({.graph = graph.view, .sum = {roots.data()}, .nodes = nodes.data(), .count = n, .dim = dim,
                      .x = x.data(), .out = out.data()});
  expect_near(out, normalised(block, roots, dim, x), 1e-5, "sums");
  const auto estimate = [&](const std::vector<float>& h) {
    gnn::control_variate_sum({.graph = graph.view, .sum = {roots.data()}, .block = block.view(),
                              .src_ids = nodes.data(), .drawn = {ones.data(), nullptr}, .dim = dim, .h = h.data(),
                              .history = history.data(), .out = out.data()});
  };
  estimate(history);
  expect_near(out, normalised(block, roots, dim, history), 1e-5, "exact history");
  estimate(x);
  std::vector<double> expected = normalised(block, roots, dim, history);
  block.for_edges([&](int64_t, int64_t u, int64_t v) {
    for (int64_t d = 0; d < dim; ++d) expected[v * dim + d] += double{x[u * dim + d]} - history[u * dim + d];
  });
  expect_near(out, expected, 1e-5, "estimate");
}

TEST("the lowest rank of the latest step writes a row that several claim") {
  const int32_t rows[3] = {2, 0, 1};
  std::vector<uint64_t> claims(3);
  const uint64_t first = gnn::claim_of(5, 0), second = gnn::claim_of(5, 3), later = gnn::claim_of(6, 9);
  gnn::claim_rows(rows, 3, second, claims.data());
  gnn::claim_rows(rows, 2, first, claims.data());
  gnn::claim_rows(rows + 1, 1, later, claims.data());
  std::vector<float> out(3, -1.0f);
  const float values[3] = {12, 10, 11};
  const auto write = [&](uint64_t claim, const uint64_t* held) {
    gnn::write_claimed_rows({.rows = rows, .count = 3, .claim = claim, .claims = held, .dim = 1, .values = values,
                             .out = out.data()});
  };
  write(first, claims.data());
  test::expect_equal(out, std::vector<float>{-1, -1, 12}, "rows of the first");
  write(later, claims.data());
  test::expect_equal(out, std::vector<float>{10, -1, 12}, "and of the later");
  write(first, nullptr);
  test::expect_equal(out, std::vector<float>{10, 11, 12}, "all");
}

TEST("sums of sparse rows hold every column once, ascending") {
  Random random(2);
  const RandomBlock block(random, 40, 30), entries(random, 25, 40);
  const int64_t dim = 25;
  const auto values = random.numbers(entries.num_edges()), edges = random.numbers(block.num_edges()),
      selves = random.numbers(block.num_dst());
  const gnn::CsrView x{40, dim, entries.view().indptr, entries.view().indices, values.data()};
  const gnn::CsrRows rows = gnn::sum_csr_rows(block.view(), {edges.data(), selves.data()}, x);
  std::vector<double> dense(static_cast<size_t>(40 * dim)), expected(static_cast<size_t>(30 * dim));
  entries.for_edges([&](int64_t e, int64_t column, int64_t row) { dense[row * dim + column] += values[e]; });
  block.for_edges([&](int64_t e, int64_t u, int64_t v) {
    for (int64_t d = 0; d < dim; ++d) expected[v * dim + d] += edges[e] * dense[u * dim + d];
  });
  for (size_t i = 0; i < expected.size(); ++i) expected[i] += selves[i / dim] * dense[i];
  std::vector<float> found(expected.size());
  for (int64_t row = 0; row < 30; ++row) {
    for (int32_t i = rows.indptr[row]; i < rows.indptr[row + 1]; ++i) {
      test::expect(i == rows.indptr[row] || rows.indices[i - 1] < rows.indices[i], "columns do not ascend");
      found[row * dim + rows.indices[i]] = rows.values[i];
    }
  }
  expect_near(found, expected, 1e-5, "sums");
}
