// Normalisations against their formulas in float64, gradients against differences of these.
#include <cmath>

#include "check.h"
#include "gnn/norm/batch_norm.h"
#include "gnn/norm/layer_norm.h"

using test::dot, test::doubles, test::expect_near, test::numeric_gradient, test::Random;

namespace {

using Matrix = std::vector<double>;

Matrix layer_norm_of(const Matrix& x, const Matrix& scale, const Matrix& shift, double epsilon) {
  const size_t dim = scale.size();
  Matrix out(x.size());
  for (size_t row = 0; row < x.size(); row += dim) {
    double mean = 0, variance = 0;
    for (size_t d = 0; d < dim; ++d) mean += x[row + d] / static_cast<double>(dim);
    for (size_t d = 0; d < dim; ++d) variance += (x[row + d] - mean) * (x[row + d] - mean) / static_cast<double>(dim);
    for (size_t d = 0; d < dim; ++d) out[row + d] =
        (x[row + d] - mean) / std::sqrt(variance + epsilon) * scale[d] + shift[d];
  }
  return out;
}

Matrix l2_normalized(const Matrix& x, size_t dim) {
  Matrix out(x.size());
  for (size_t row = 0; row < x.size(); row += dim) {
    double square = 0;
    for (size_t d = 0; d < dim; ++d) square += x[row + d] * x[row + d];
    for (size_t d = 0; d < dim; ++d) out[row + d] = x[row + d] / std::fmax(std::sqrt(square), 1e-12);
  }
  return out;
}

}  // namespace

TEST("layer_norm and its gradients agree with the formula and its differences") {
  Random random(1);
  const float epsilon = 1e-3f;
  for (const int64_t dim : {5, 16, 39}) {
    const int64_t rows = 8;
    const auto x = random.numbers(rows * dim), scale = random.numbers(dim), shift = random.numbers(dim),
        dy = random.numbers(rows * dim);
    std::vector<float> out(x.size()), moments(static_cast<size_t>(2 * rows)), dx(x.size()), d_scale(scale.size()),
        d_shift(shift.size());
    gnn::layer_norm({.rows = rows, .dim = dim, .x = x.data(), .scale = scale.data(), .shift = shift.data(),
                     .epsilon = epsilon, .moments = moments.data(), .out = out.data()});
    Matrix at = doubles(x), s = doubles(scale), b = doubles(shift);
    const auto loss = [&] { return dot(layer_norm_of(at, s, b, epsilon), dy); };
    expect_near(out, layer_norm_of(at, s, b, epsilon), 1e-5, "out");
    gnn::layer_norm_grad({.rows = rows, .dim = dim, .x = x.data(), .moments = moments.data(), .scale = scale.data(),
                          .dy = dy.data(), .dx = dx.data(), .d_scale = d_scale.data(), .d_shift = d_shift.data()});
    expect_near(dx, numeric_gradient(at, loss), 1e-3, "dx");
    expect_near(d_scale, numeric_gradient(s, loss), 1e-3, "gradient of the scale");
    expect_near(d_shift, numeric_gradient(b, loss), 1e-3, "gradient of the shift");
  }
}

TEST("l2_normalize gives rows of length 1 and leaves a row of zeros, and so does its gradient") {
  Random random(2);
  const int64_t rows = 7, dim = 21;
  auto x = random.numbers(rows * dim);
  const auto dy = random.numbers(rows * dim);
  std::vector<float> out(x.size()), norms(static_cast<size_t>(rows)), dx(x.size());
  gnn::l2_normalize(rows, dim, x.data(), norms.data(), out.data());
  Matrix at = doubles(x);
  expect_near(out, l2_normalized(at, dim), 1e-6, "out");
  gnn::l2_normalize_grad({.rows = rows, .dim = dim, .out = out.data(), .norms = norms.data(), .dy = dy.data(),
                          .dx = dx.data()});
  expect_near(dx, numeric_gradient(at, [&] { return dot(l2_normalized(at, dim), dy); }), 1e-4, "dx");
  std::fill(x.begin(), x.end(), 0.0f);
  gnn::l2_normalize(rows, dim, x.data(), norms.data(), out.data());
  test::expect_equal(out, x, "zeros");
}

TEST("batch_norm and its gradients agree with the formula, the statistics held fixed") {
  Random random(3);
  const int64_t rows = 30, dim = 11;
  const auto x = random.numbers(rows * dim), mean = random.numbers(dim), scale = random.numbers(dim),
      shift = random.numbers(dim);
  const auto dy = random.numbers(rows * dim);
  std::vector<float> inverse = random.numbers(dim), out(x.size()), dx(x.size()), d_scale(scale.size()),
      d_shift(shift.size());
  for (float& value : inverse) value = std::fabs(value) + 0.5f;
  Matrix at = doubles(x), s = doubles(scale), b = doubles(shift);
  const auto formula = [&] {
    Matrix y(at.size());
    for (size_t i = 0; i < y.size(); ++i) y[i] = (at[i] - mean[i % dim]) * inverse[i % dim] * s[i % dim] + b[i % dim];
    return y;
  };
  const auto loss = [&] { return dot(formula(), dy); };
  gnn::batch_norm({.rows = rows, .dim = dim, .x = x.data(), .mean = mean.data(), .inverse = inverse.data(),
                   .scale = scale.data(), .shift = shift.data(), .out = out.data()});
  expect_near(out, formula(), 1e-5, "out");
  gnn::batch_norm_grad({.rows = rows, .dim = dim, .x = x.data(), .mean = mean.data(), .inverse = inverse.data(),
                        .scale = scale.data(), .dy = dy.data(), .dx = dx.data(), .d_scale = d_scale.data(),
                        .d_shift = d_shift.data()});
  expect_near(dx, numeric_gradient(at, loss), 1e-4, "dx");
  expect_near(d_scale, numeric_gradient(s, loss), 1e-4, "gradient of the scale");
  expect_near(d_shift, numeric_gradient(b, loss), 1e-4, "gradient of the shift");
}

TEST("column moments are sums over all rows, and their gradient is added row by row") {
  Random random(4);
  const int64_t rows = 3000, dim = 9;
  const auto x = random.numbers(rows * dim), center = random.numbers(dim), linear = random.numbers(dim),
      quadratic = random.numbers(dim);
  std::vector<float> sums(static_cast<size_t>(2 * dim)), dx = x;
  gnn::column_moments(rows, dim, x.data(), center.data(), sums.data());
  Matrix expected(sums.size()), gradient(x.size());
  for (size_t i = 0; i < x.size(); ++i) {
    const double from = double{x[i]} - center[i % dim];
    expected[i % dim] += from;
    expected[dim + i % dim] += from * from;
    gradient[i] = x[i] + linear[i % dim] + quadratic[i % dim] * from;
  }
  expect_near(sums, expected, 1e-5, "sums");
  gnn::add_moment_gradient({.rows = rows, .dim = dim, .x = x.data(), .mean = center.data(), .linear = linear.data(),
                            .quadratic = quadratic.data(), .dx = dx.data()});
  expect_near(dx, gradient, 1e-5, "dx");
}
