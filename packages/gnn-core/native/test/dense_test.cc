// Products and dense layers, against triple loops in float64.
#include <cmath>
#include <cstring>

#include "check.h"
#include "gnn/dense/linear.h"
#include "gnn/dense/sgemm.h"

using test::expect_near, test::Random;

namespace {

std::vector<double> product(const gnn::Sgemm& op) {
  std::vector<double> c(static_cast<size_t>(op.m * op.n));
  for (int64_t i = 0; i < op.m; ++i) {
    for (int64_t j = 0; j < op.n; ++j) {
      for (int64_t k = 0; k < op.k; ++k) {
        const float a = op.trans_a ? op.a[k * op.m + i] : op.a[i * op.k + k];
        const float b = op.trans_b ? op.b[j * op.k + k] : op.b[k * op.n + j];
        c[i * op.n + j] += double{a} * b;
      }
      c[i * op.n + j] += double{op.beta} * op.c[i * op.n + j];
    }
  }
  return c;
}

}  // namespace

TEST("sgemm multiplies whatever is transposed, and adds to what is there") {
  Random random(1);
  for (const bool trans_a : {false, true}) {
    for (const bool trans_b : {false, true}) {
      for (const float beta : {0.0f, 1.0f, 0.5f}) {
        const int64_t m = 61, n = 17, k = 90;
        const auto a = random.numbers(m * k), b = random.numbers(k * n);
        auto c = random.numbers(m * n);
        const gnn::Sgemm op{
            .trans_a = trans_a, .trans_b = trans_b, .m = m, .n = n, .k = k, .a = a.data(), .b = b.data(),
                .beta = beta, .c = c.data()};
        const auto expected = product(op);
        gnn::sgemm(op);
        expect_near(c, expected, 1e-5, "c");
      }
    }
  }
}

TEST("sgemm over a long k is summed in chunks, and nothing is left of empty products") {
  Random random(2);
  const int64_t m = 5, n = 6, k = 5000;
  const auto a = random.numbers(m * k), b = random.numbers(k * n);
  std::vector<float> c(static_cast<size_t>(m * n), 3.0f);
  gnn::Sgemm op{.trans_a = true, .m = m, .n = n, .k = k, .a = a.data(), .b = b.data(), .c = c.data()};
  const auto expected = product(op);
  gnn::sgemm(op);
  expect_near(c, expected, 1e-4, "c");
  op.k = 0;
  op.beta = 2.0f;
  op.trans_a = false;
  std::vector<double> doubled(c.begin(), c.end());
  for (double& value : doubled) value *= 2;
  gnn::sgemm(op);
  expect_near(c, doubled, 0, "2c");
}

TEST("a row of a product has the same bits in any batch") {
  Random random(3);
  const int64_t rows = 500, n = 47, k = 100;
  const auto a = random.numbers(rows * k), b = random.numbers(k * n);
  std::vector<float> all(static_cast<size_t>(rows * n)), some(all.size());
  gnn::sgemm({.m = rows, .n = n, .k = k, .a = a.data(), .b = b.data(), .c = all.data()});
  for (const int64_t count : {1, 7, 24, 25, 191, 193, 400}) {
    const int64_t first = random.below(rows - count);
    gnn::sgemm({.m = count, .n = n, .k = k, .a = a.data() + first * k, .b = b.data(), .c = some.data()});
    test::expect(std::memcmp(some.data(), all.data() + first * n, static_cast<size_t>(count * n) * sizeof(float)) == 0,
                 std::to_string(count) + " rows have other bits than among all");
  }
}

TEST("linear and its gradients agree with loops, with and without ReLU") {
  Random random(4);
  const int64_t rows = 1300, in = 23, out = 11;
  const auto x = random.numbers(rows * in), weight = random.numbers(in * out), bias = random.numbers(out);
  const auto dy = random.numbers(rows * out);
  for (const bool relu : {false, true}) {
    std::vector<float> y(dy.size()), dx(x.size()), d_weight(weight.size()), d_bias(bias.size());
    const gnn::RowSource source(x.data(), in);
    gnn::linear({.rows = rows, .out_dim = out, .x = source, .weight = weight.data(), .bias = bias.data(),
                 .with_relu = relu, .out = y.data()});
    gnn::linear_grad({.rows = rows,
                      .out_dim = out,
                      .x = source,
                      .weight = weight.data(),
                      .out = y.data(),
                      .dy = dy.data(),
                      .with_relu = relu,
                      .dx = dx.data(),
                      .d_weight = d_weight.data(),
                      .d_bias = d_bias.data()});
    std::vector<double> expected(y.size()), ex(x.size()), ew(weight.size()), eb(bias.size());
    for (int64_t i = 0; i < rows; ++i) {
      for (int64_t o = 0; o < out; ++o) {
        double sum = bias[o];
        for (int64_t d = 0; d < in; ++d) sum += double{x[i * in + d]} * weight[d * out + o];
        expected[i * out + o] = relu ? std::fmax(sum, 0) : sum;
        const double g = relu && y[i * out + o] <= 0 ? 0 : dy[i * out + o];
        eb[o] += g;
        for (int64_t d = 0; d < in; ++d) {
          ex[i * in + d] += g * weight[d * out + o];
          ew[d * out + o] += g * x[i * in + d];
        }
      }
    }
    expect_near(y, expected, 1e-5, "y");
    expect_near(dx, ex, 1e-5, "dx");
    expect_near(d_weight, ew, 1e-4, "gradient of the weight");
    expect_near(d_bias, eb, 1e-4, "gradient of the bias");
  }
}

TEST("rows of a feature matrix in segments are read in place as if they were gathered") {
  Random random(5);
  const int64_t dim = 10, out = 4, count = 70;
  const auto first = random.numbers(30 * dim), second = random.numbers(50 * dim), weight = random.numbers(dim * out);
  const gnn::FeatureView features{
      80, dim, gnn::FeatureDtype::float32, {}, {{0, first.data()}, {30, second.data()}}, {}};
  std::vector<int32_t> ids(static_cast<size_t>(count));
  std::vector<float> gathered;
  for (int32_t& id : ids) {
    id = static_cast<int32_t>(random.below(80));
    const float* row = id < 30 ? &first[id * dim] : &second[(id - 30) * dim];
    gathered.insert(gathered.end(), row, row + dim);
  }
  std::vector<float> in_place(static_cast<size_t>(count * out)), copied(in_place.size());
  gnn::linear({.rows = count, .out_dim = out, .x = {features, ids.data(), count}, .weight = weight.data(),
               .out = in_place.data()});
  gnn::linear({.rows = count, .out_dim = out, .x = {gathered.data(), dim}, .weight = weight.data(),
               .out = copied.data()});
  test::expect_equal(in_place, copied, "rows in place");
}
