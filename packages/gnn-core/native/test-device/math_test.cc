#include <cmath>

#include "arrays.h"
#include "check.h"
#include "gnn/cuda/loss/sigmoid_cross_entropy.h"
#include "gnn/cuda/math/elementwise.h"
#include "gnn/cuda/math/reduce.h"

namespace check {
namespace {

using Floats = std::vector<float>;
using gnn::cuda::Binary;
using gnn::cuda::Unary;

double unary_of(Unary op, double x, double parameter) {
  switch (op) {
    case Unary::kAbs: return std::abs(x);
    case Unary::kCos: return std::cos(x);
    case Unary::kElu: return x > 0 ? x : std::expm1(x);
    case Unary::kExp: return std::exp(x);
    case Unary::kLeakyRelu: return x > 0 ? x : parameter * x;
    case Unary::kLog1p: return std::log1p(x);
    case Unary::kNeg: return -x;
    case Unary::kRelu: return x > 0 ? x : 0;
    case Unary::kRsqrt: return 1 / std::sqrt(x);
    case Unary::kSigmoid: return 1 / (1 + std::exp(-x));
    case Unary::kSin: return std::sin(x);
    case Unary::kSqrt: return std::sqrt(x);
    case Unary::kSquare: return x * x;
    case Unary::kStep: return x > 0 ? 1 : parameter;
    default: return std::tanh(x);
  }
}

double binary_of(Binary op, double a, double b) {
  switch (op) {
    case Binary::kAdd: return a + b;
    case Binary::kDivide: return a / b;
    case Binary::kEluGrad: return b > 0 ? a : a * (b + 1);
    case Binary::kMultiply: return a * b;
    default: return a - b;
  }
}

}  // namespace

DEVICE_TEST("functions of one number are the standard library's") {
  constexpr int64_t kCount = 700;
  constexpr float kParameter = -0.5f;
  for (int32_t i = 0; i < static_cast<int32_t>(Unary::kEnd); ++i) {
    const auto op = static_cast<Unary>(i);
    Stream stream;
    Floats x = random_floats(kCount, 1);
    if (op == Unary::kSqrt || op == Unary::kRsqrt) for (float& value : x) value = std::abs(value) + 0.01f;
    Floats expected;
    for (const float value : x) expected.push_back(static_cast<float>(unary_of(op, value, kParameter)));
    const OnDevice<float> values(stream, x), out(stream, kCount);
    gnn::cuda::apply_unary(stream, {op, kCount, values, kParameter, out});
    expect_close(out.read(), expected, 1e-6, "function " + std::to_string(i));
  }
}

DEVICE_TEST("functions of two numbers repeat rows, columns and single values") {
  constexpr int64_t kRows = 21, kColumns = 13;
  const Floats of_all = random_floats(kRows * kColumns, 1), of_columns = random_floats(kColumns, 2),
               of_rows = random_floats(kRows, 3);
  for (int32_t i = 0; i < static_cast<int32_t>(Binary::kEnd); ++i) {
    const auto op = static_cast<Binary>(i);
    Stream stream;
    const OnDevice<float> all(stream, of_all), columns(stream, of_columns), rows(stream, of_rows),
        out(stream, kRows * kColumns);
    const auto run = [&](const gnn::cuda::Operand& a, const gnn::cuda::Operand& b, auto a_at, auto b_at) {
      Floats expected;
      for (int64_t row = 0; row < kRows; ++row) {
        for (int64_t c = 0; c < kColumns; ++c)
          expected.push_back(static_cast<float>(binary_of(op, a_at(row, c), b_at(row, c))));
      }
      gnn::cuda::apply_binary(stream, {op, kRows, kColumns, a, b, out});
      expect_close(out.read(), expected, 1e-6, "function " + std::to_string(i));
    };
    run({all, kColumns, 1, 0}, {columns, 0, 1, 0}, [&](int64_t r, int64_t c) { return of_all[r * kColumns + c]; },
        [&](int64_t, int64_t c) { return of_columns[c]; });
    run({rows, 1, 0, 0}, {nullptr, 0, 0, 2.5f}, [&](int64_t r, int64_t) { return of_rows[r]; },
        [](int64_t, int64_t) { return 2.5f; });
  }
}

DEVICE_TEST("sums and softmax of rows are those of doubles") {
  for (const int64_t columns : {1, 33, 1500}) {
    constexpr int64_t kRows = 9;
    Stream stream;
    const Floats x = random_floats(kRows * columns, 1);
    Floats sums, shares;
    double total = 0;
    for (int64_t row = 0; row < kRows; ++row) {
      double sum = 0, exponentials = 0;
      for (int64_t c = 0; c < columns; ++c) sum += x[row * columns + c], exponentials += std::exp(x[row * columns + c]);
      sums.push_back(static_cast<float>(sum));
      for (int64_t c = 0; c < columns; ++c)
        shares.push_back(static_cast<float>(std::exp(x[row * columns + c]) / exponentials));
      total += sum;
    }
    const OnDevice<float> values(stream, x), of_rows(stream, kRows), of_all(stream, 1), out(stream, kRows * columns);
    gnn::cuda::row_sums(stream, kRows, columns, values, of_rows);
    gnn::cuda::sum_all(stream, kRows * columns, values, of_all);
    gnn::cuda::softmax_rows(stream, kRows, columns, values, out);
    expect_close(of_rows.read(), sums, 1e-6, "sums of rows");
    expect_close(of_all.read(), {static_cast<float>(total)}, 1e-6, "sum");
    expect_close(out.read(), shares, 1e-6, "softmax");
  }
}

DEVICE_TEST("labels that were told are counted by the cut of each label") {
  constexpr int64_t kRows = 300, kClasses = 40;
  Stream stream;
  const Floats outputs = random_floats(kRows * kClasses, 1), cuts = random_floats(kClasses, 2);
  Floats targets = random_floats(kRows * kClasses, 3);
  float hits = 0, trials = 0;
  for (int64_t i = 0; i < kRows * kClasses; ++i) {
    targets[i] = targets[i] > 0.3f ? 1.0f : 0.0f;
    const bool is_predicted = outputs[i] >= cuts[i % kClasses], is_member = targets[i] == 1.0f;
    hits += is_predicted && is_member ? 2 : 0;
    trials += (is_predicted ? 1 : 0) + (is_member ? 1 : 0);
  }
  const OnDevice<float> o(stream, outputs), t(stream, targets), c(stream, cuts), found_hits(stream, 1),
      found_trials(stream, 1);
  gnn::cuda::count_labels(stream, {kRows, kClasses, o, t, c, found_hits, found_trials});
  expect(found_hits.read()[0] == hits, "hits");
  expect(found_trials.read()[0] == trials, "trials");
}

}  // namespace check
