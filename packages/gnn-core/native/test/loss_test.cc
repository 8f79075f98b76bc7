// Losses against their formulas in float64, gradients against differences of these.
#include <algorithm>
#include <cmath>
#include <limits>

#include "check.h"
#include "gnn/loss/cross_entropy.h"
#include "gnn/loss/k_vs_all.h"
#include "gnn/loss/regression_loss.h"
#include "gnn/loss/sigmoid_cross_entropy.h"

using test::doubles, test::expect_near, test::numeric_gradient, test::Random;

namespace {

constexpr float kScale = 0.5f;

// The sum as a kernel gives it beside the formula, and the kernel's gradient beside the differences.
void check(double sum, const std::vector<float>& gradient, std::vector<double>& at,
           const std::function<double()>& loss) {
  test::expect(std::fabs(sum - loss()) < 1e-5 * std::fmax(1, std::fabs(loss())), "another sum: " + std::to_string(sum));
  std::vector<double> expected = numeric_gradient(at, loss);
  for (double& value : expected) value *= kScale;
  expect_near(gradient, expected, 1e-4, "gradient");
}

}  // namespace

TEST("cross-entropy agrees with its formula, weighted and not, rows without a label left out") {
  Random random(1);
  const int64_t rows = 300, classes = 7;
  auto logits = random.numbers(rows * classes), weights = random.numbers(rows);
  for (float& logit : logits) logit *= 20;
  std::vector<int32_t> labels(static_cast<size_t>(rows));
  for (int32_t& label : labels) label = static_cast<int32_t>(random.below(classes + 1)) - 1;
  for (const float* weight : {static_cast<const float*>(nullptr), static_cast<const float*>(weights.data())}) {
    const gnn::CrossEntropy op{.rows = rows, .classes = classes, .logits = logits.data(), .labels = labels.data(),
                               .weights = weight};
    double sum;
    std::vector<float> gradient(logits.size());
    gnn::cross_entropy_sum(op, &sum);
    gnn::cross_entropy_grad(op, kScale, gradient.data());
    // The gradient by the formula: differences of a sum over 300 rows would lose its last digits.
    double expected = 0;
    std::vector<double> d_logits(logits.size());
    for (int64_t row = 0; row < rows; ++row) {
      if (labels[row] < 0) continue;
      const float* z = &logits[row * classes];
      double total = 0;
      for (int64_t c = 0; c < classes; ++c) total += std::exp(double{z[c]} - z[0]);
      const double w = weight == nullptr ? 1 : weight[row];
      expected -= w * (double{z[labels[row]]} - z[0] - std::log(total));
      for (int64_t c = 0; c < classes; ++c) {
        d_logits[row * classes + c] = kScale * w * (std::exp(double{z[c]} - z[0]) / total - (c == labels[row]));
      }
    }
    test::expect(std::fabs(sum - expected) < 1e-5 * std::fabs(expected), "another sum");
    expect_near(gradient, d_logits, 1e-5, "gradient");
  }
}

TEST("sigmoid cross-entropy agrees with its formula, far from zero too") {
  Random random(2);
  const int64_t rows = 12, classes = 5;
  auto logits = random.numbers(rows * classes), targets = random.numbers(rows * classes),
      weights = random.numbers(rows);
  for (float& target : targets) target = std::fabs(target);
  std::vector<double> at = doubles(logits);
  const auto loss = [&] {
    double sum = 0;
    for (size_t i = 0; i < at.size(); ++i) {
      sum += weights[i / classes] * (std::log1p(std::exp(at[i])) - targets[i] * at[i]);
    }
    return sum;
  };
  const gnn::SigmoidCrossEntropy op{.rows = rows, .classes = classes, .logits = logits.data(),
                                    .targets = targets.data(), .weights = weights.data()};
  double sum;
  std::vector<float> gradient(logits.size());
  gnn::sigmoid_cross_entropy_sum(op, &sum);
  gnn::sigmoid_cross_entropy_grad(op, kScale, gradient.data());
  check(sum, gradient, at, loss);
  const float far[2] = {500.0f, -500.0f}, ones[2] = {1.0f, 1.0f};
  gnn::sigmoid_cross_entropy_sum({.rows = 1, .classes = 2, .logits = far, .targets = ones}, &sum);
  test::expect(sum == 500.0, "the loss overflowed: " + std::to_string(sum));
}

TEST("squared, absolute and Huber losses agree with their formulas, unknown targets left out") {
  Random random(3);
  auto outputs = random.numbers(40), targets = random.numbers(40);
  for (float& output : outputs) output *= 3;
  targets[3] = targets[17] = std::numeric_limits<float>::quiet_NaN();
  const double delta = 0.75;
  std::vector<double> at = doubles(outputs);
  for (const gnn::RegressionKind kind : {gnn::RegressionKind::kSquared, gnn::RegressionKind::kAbsolute,
                                         gnn::RegressionKind::kHuber}) {
    const auto loss = [&] {
      double sum = 0;
      for (size_t i = 0; i < at.size(); ++i) {
        const double error = std::fabs(at[i] - targets[i]);
        if (std::isnan(targets[i])) continue;
        if (kind == gnn::RegressionKind::kSquared) sum += error * error;
        if (kind == gnn::RegressionKind::kAbsolute) sum += error;
        if (kind == gnn::RegressionKind::kHuber) sum += error <= delta ? error * error / 2 :
            delta * (error - delta / 2);
      }
      return sum;
    };
    const gnn::RegressionLoss op{kind, static_cast<float>(delta), 40, outputs.data(), targets.data()};
    double sum;
    std::vector<float> gradient(outputs.size());
    gnn::regression_loss_sum(op, &sum);
    gnn::regression_loss_grad(op, kScale, gradient.data());
    check(sum, gradient, at, loss);
  }
}

TEST("the softmax of own rows among candidates that queries share agrees with its formula, some left out") {
  Random random(7);
  const int64_t queries = 197, candidates = 530, dim = 3;
  auto rows = random.numbers(queries * dim), own = random.numbers(queries * dim);
  auto shared = random.numbers(candidates * dim);
  std::vector<int32_t> starts{0}, left;
  for (int64_t i = 0; i < queries; ++i) {
    // None of the first, all of the second, and of the others the ends of tiles
    if (i == 1) for (int32_t v = 0; v < candidates; ++v) left.push_back(v);
    if (i > 1) left.insert(left.end(), {static_cast<int32_t>(i % 511), 511, 512, candidates - 1});
    starts.push_back(static_cast<int32_t>(left.size()));
  }
  std::vector<float> d_rows(rows.size()), d_own(own.size()), d_shared(shared.size());
  const gnn::KvsAll op{.num_queries = queries, .num_candidates = candidates, .dim = dim, .queries = rows.data(),
                       .candidates = shared.data(), .starts = nullptr, .targets = nullptr, .own = own.data(),
                       .left_starts = starts.data(),
                       .left = left.data(), .d_own = d_own.data(), .d_queries = d_rows.data(),
                       .d_candidates = d_shared.data()};
  const double loss = gnn::k_vs_all(op);
  double expected = 0;
  std::vector<double> of_rows(rows.size()), of_own(own.size()), of_shared(shared.size());
  for (int64_t i = 0; i < queries; ++i) {
    const auto score = [&](const std::vector<float>& to, int64_t at) {
      double sum = 0;
      for (int64_t d = 0; d < dim; ++d) sum += double{rows[i * dim + d]} * to[at * dim + d];
      return sum;
    };
    const auto is_left = [&](int64_t v) {
      return std::find(left.begin() + starts[i], left.begin() + starts[i + 1], v) != left.begin() + starts[i + 1];
    };
    double sum = std::exp(score(own, i));
    for (int64_t v = 0; v < candidates; ++v) sum += is_left(v) ? 0 : std::exp(score(shared, v));
    expected += std::log(sum) - score(own, i);
    const auto take = [&](double weight, const std::vector<float>& to, int64_t at, std::vector<double>& gradient) {
      for (int64_t d = 0; d < dim; ++d) {
        of_rows[i * dim + d] += weight * to[at * dim + d];
        gradient[at * dim + d] += weight * rows[i * dim + d];
      }
    };
    take(std::exp(score(own, i)) / sum - 1, own, i, of_own);
    for (int64_t v = 0; v < candidates; ++v) {
      if (!is_left(v)) take(std::exp(score(shared, v)) / sum, shared, v, of_shared);
    }
  }
  test::expect(std::fabs(loss - expected) < 1e-5 * expected, "another sum: " + std::to_string(loss));
  expect_near(d_rows, of_rows, 1e-4, "gradient of the queries");
  expect_near(d_own, of_own, 1e-4, "gradient of the own rows");
  expect_near(d_shared, of_shared, 1e-4, "gradient of the candidates");
}

TEST("a query's own row among no candidates is certain: no loss, and gradients of zeros") {
  const std::vector<float> rows(6, 2.0f), own(6, 3.0f);
  const std::vector<int32_t> starts(4, 0);
  std::vector<float> d_rows(6, 1.0f), d_own(6, 1.0f);
  const gnn::KvsAll op{.num_queries = 3, .num_candidates = 0, .dim = 2, .queries = rows.data(), .candidates = nullptr,
                       .starts = nullptr, .targets = nullptr, .own = own.data(), .left_starts = starts.data(),
                       .left = nullptr, .d_own = d_own.data(), .d_queries = d_rows.data(), .d_candidates = nullptr};
  test::expect(gnn::k_vs_all(op) == 0, "a loss");
  expect_near(d_rows, std::vector<double>(6, 0.0), 1e-9, "gradient of the queries");
  expect_near(d_own, std::vector<double>(6, 0.0), 1e-9, "gradient of the own rows");
}
