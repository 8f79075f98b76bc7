#include <algorithm>

#include "arrays.h"
#include "check.h"
#include "gnn/cuda/dense/linear.h"
#include "gnn/cuda/dense/rows.h"
#include "gnn/cuda/dense/sgemm.h"
#include "gnn/dense/rows.h"

namespace check {
namespace {

using Floats = std::vector<float>;

struct Shape {
  int64_t rows, dim;
};
// The last one has more rows than one range of a sum.
constexpr Shape kShapes[] = {{1, 1}, {7, 3}, {50, 47}, {3, 256}, {1100, 40}, {0, 5}};

}  // namespace

DEVICE_TEST("fill, fill_rows and copy_columns write what they should and nothing else") {
  Stream stream;
  const OnDevice<float> out(stream, Floats(12, 7.0f));
  gnn::cuda::fill(stream, 3, 2.5f, out);
  gnn::cuda::fill_rows(stream, 2, 3, OnDevice<float>(stream, Floats{1, 2, 3}), out + 3);
  expect_bits(out.read(), {2.5f, 2.5f, 2.5f, 1, 2, 3, 1, 2, 3, 7, 7, 7}, "filled");
  // Columns 1 and 2 of 3 rows of 4 become the last two of 3 rows of 4.
  const OnDevice<float> x(stream, Floats{0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23});
  gnn::cuda::copy_columns(stream, {.rows = 3, .columns = 2, .x = x + 1, .x_dim = 4, .out = out + 2, .out_dim = 4});
  expect_bits(out.read(), {2.5f, 2.5f, 1, 2, 2, 3, 11, 12, 3, 7, 21, 22}, "copied");
  gnn::cuda::copy_columns(stream,
                          {.rows = 1, .columns = 2, .x = x, .x_dim = 4, .out = out, .out_dim = 4, .accumulate = true});
  expect_bits(out.read(), {2.5f, 3.5f, 1, 2, 2, 3, 11, 12, 3, 7, 21, 22}, "added");
}

DEVICE_TEST("column_sums are the CPU's") {
  for (const auto [rows, dim] : kShapes) {
    Stream stream;
    const Floats x = random_floats(rows * dim, 1);
    Floats expected(static_cast<size_t>(dim));
    gnn::add_column_sums(rows, dim, x.data(), expected.data());
    const OnDevice<float> sums(stream, dim);
    gnn::cuda::column_sums(stream, rows, dim, OnDevice<float>(stream, x), sums);
    expect_close(sums.read(), expected, 1e-5, std::to_string(rows) + " x " + std::to_string(dim));
  }
}

DEVICE_TEST("masked_bias_grad is the CPU's, with a mask and without") {
  for (const auto [rows, dim] : kShapes) {
    Stream stream;
    const Floats dy = random_floats(rows * dim, 1), out = random_floats(rows * dim, 2);
    Floats masked(dy.size()), d_bias(static_cast<size_t>(dim));
    const OnDevice<float> g(stream, dy), result(stream, out), kept(stream, rows * dim), sums(stream, dim);
    gnn::masked_bias_grad({.rows = rows,
                           .dim = dim,
                           .dy = dy.data(),
                           .out = out.data(),
                           .masked = masked.data(),
                           .d_bias = d_bias.data()});
    gnn::cuda::masked_bias_grad(stream,
                                {.rows = rows, .dim = dim, .dy = g, .out = result, .masked = kept, .d_bias = sums});
    expect_bits(kept.read(), masked, "masked");
    expect_close(sums.read(), d_bias, 1e-5, "d_bias");
    gnn::masked_bias_grad({.rows = rows, .dim = dim, .dy = dy.data(), .d_bias = d_bias.data()});
    gnn::cuda::masked_bias_grad(stream, {.rows = rows, .dim = dim, .dy = g, .d_bias = sums});
    expect_close(sums.read(), d_bias, 1e-5, "d_bias without a mask");
  }
}

DEVICE_TEST("sgemm is the CPU's for all ways that A and B may lie, beta and long sums") {
  struct Product {
    int64_t m, n, k;
  };
  for (const auto [m, n, k] : {Product{1, 1, 1}, {65, 70, 33}, {5, 100, 0}, {20, 17, 1500}}) {
    for (const int kind : {0, 1, 2, 3}) {
      Stream stream;
      const Floats a = random_floats(m * k, 1), b = random_floats(k * n, 2), c = random_floats(m * n, 3);
      const OnDevice<float> of_a(stream, a), of_b(stream, b);
      for (const float beta : {0.0f, 1.0f}) {
        Floats expected = c;
        gnn::Sgemm op{.trans_a = kind % 2 == 1,
                      .trans_b = kind > 1,
                      .m = m,
                      .n = n,
                      .k = k,
                      .a = a.data(),
                      .b = b.data(),
                      .beta = beta,
                      .c = expected.data()};
        gnn::sgemm(op);
        const OnDevice<float> out(stream, c);
        op.a = of_a, op.b = of_b, op.c = out;
        gnn::cuda::sgemm(stream, op);
        expect_close(out.read(), expected, 1e-5,
                     std::to_string(m) + " x " + std::to_string(n) + " x " + std::to_string(k));
      }
    }
  }
}

DEVICE_TEST("sgemm with a bias and ReLU is the CPU's linear") {
  for (const int64_t k : {20, 1500}) {
    for (const bool with_relu : {false, true}) {
      Stream stream;
      const Floats x = random_floats(10 * k, 1), weight = random_floats(k * 30, 2), bias = random_floats(30, 3);
      Floats expected(300);
      gnn::linear({.rows = 10,
                   .out_dim = 30,
                   .x = gnn::RowSource(x.data(), k),
                   .weight = weight.data(),
                   .bias = bias.data(),
                   .with_relu = with_relu,
                   .out = expected.data()});
      const OnDevice<float> a(stream, x), b(stream, weight), out(stream, 300), added(stream, bias);
      gnn::cuda::sgemm(stream, {.m = 10, .n = 30, .k = k, .a = a, .b = b, .c = out},
                       {.bias = added, .with_relu = with_relu});
      expect_close(out.read(), expected, 1e-5, "k " + std::to_string(k));
    }
  }
}

DEVICE_TEST("sgemm_pair is two products, whether their sums are cut or not") {
  for (const int64_t k : {33, 1500}) {
    Stream stream;
    constexpr int64_t kM = 70, kN = 20;
    const Floats a = random_floats(kM * k, 1), b = random_floats(k * kN, 2), other = random_floats(kM * k, 3);
    const auto product = [&](const Floats& of) {
      Floats c(kM * kN);
      gnn::sgemm({.trans_a = true, .m = kM, .n = kN, .k = k, .a = of.data(), .b = b.data(), .c = c.data()});
      return c;
    };
    const OnDevice<float> of_a(stream, a), of_b(stream, b), of_other(stream, other);
    const OnDevice<float> c(stream, kM * kN), d(stream, kM * kN);
    const gnn::Sgemm op{.trans_a = true, .m = kM, .n = kN, .k = k, .a = of_a, .b = of_b, .c = c};
    gnn::cuda::sgemm_pair(stream, op, {of_other, of_b, d});
    expect_close(c.read(), product(a), 1e-5, "first");
    expect_close(d.read(), product(other), 1e-5, "second");
  }
}

}  // namespace check
