#include <cmath>
#include <limits>

#include "arrays.h"
#include "check.h"
#include "gnn/cuda/loss/regression_loss.h"
#include "gnn/cuda/loss/sigmoid_cross_entropy.h"

namespace check {
namespace {

using Floats = std::vector<float>;

void expect_near(double found, double expected, const std::string& what) {
  expect(std::abs(found / expected - 1) < 1e-6,
         what + ": found " + std::to_string(found) + ", expected " + std::to_string(expected));
}

}  // namespace

DEVICE_TEST("sigmoid_cross_entropy is the CPU's, far from zero, too") {
  for (const int64_t classes : {1, 47}) {
    Stream stream;
    constexpr int64_t kRows = 100;
    Floats logits = random_floats(kRows * classes, 1), targets = random_floats(kRows * classes, 2),
           weights = random_floats(kRows, 3);
    for (float& logit : logits) logit *= 100;
    for (float& target : targets) target = target > 0 ? 1.0f : 0.0f;
    for (float& weight : weights) weight += 2;
    const OnDevice<float> z(stream, logits), t(stream, targets), w(stream, weights), d_logits(stream, kRows * classes);
    const OnDevice<float> sum(stream, 1);
    const gnn::SigmoidCrossEntropy host{kRows, classes, logits.data(), targets.data(), weights.data()},
        device{kRows, classes, z, t, w};
    double expected = 0;
    Floats d_expected(logits.size());
    gnn::sigmoid_cross_entropy_sum(host, &expected);
    gnn::sigmoid_cross_entropy_grad(host, 0.5f, d_expected.data());
    gnn::cuda::sigmoid_cross_entropy_sum(stream, device, sum);
    gnn::cuda::sigmoid_cross_entropy_grad(stream, device, 0.5f, d_logits);
    expect_near(sum.read()[0], expected, "sum");
    expect_close(d_logits.read(), d_expected, 1e-6, "gradient");
  }
}

DEVICE_TEST("regression losses are the CPU's, and targets that are not known count nothing") {
  for (const auto kind : {gnn::RegressionKind::kSquared, gnn::RegressionKind::kAbsolute, gnn::RegressionKind::kHuber}) {
    Stream stream;
    constexpr int64_t kCount = 3000;
    const Floats outputs = random_floats(kCount, 1);
    Floats targets = random_floats(kCount, 2);
    for (size_t i = 0; i < targets.size(); i += 7) targets[i] = std::numeric_limits<float>::quiet_NaN();
    const OnDevice<float> o(stream, outputs), t(stream, targets), d_outputs(stream, kCount);
    const OnDevice<float> sum(stream, 1);
    const gnn::RegressionLoss host{kind, 0.5f, kCount, outputs.data(), targets.data()},
        device{kind, 0.5f, kCount, o, t};
    double expected = 0;
    Floats d_expected(outputs.size());
    gnn::regression_loss_sum(host, &expected);
    gnn::regression_loss_grad(host, 0.25f, d_expected.data());
    gnn::cuda::regression_loss_sum(stream, device, sum);
    gnn::cuda::regression_loss_grad(stream, device, 0.25f, d_outputs);
    expect_near(sum.read()[0], expected, "sum");
    expect_close(d_outputs.read(), d_expected, 1e-6, "gradient");
  }
}

}  // namespace check
