#include "gnn/loss/regression_loss.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "gnn/runtime/parallel.h"

namespace gnn {
namespace {

constexpr int64_t kEntries = 4096;

double loss_of(RegressionKind kind, double delta, double error) {
  const double size = std::fabs(error);
  if (kind == RegressionKind::kAbsolute) return size;
  if (kind == RegressionKind::kSquared) return error * error;
  return size <= delta ? error * error / 2 : delta * (size - delta / 2);
}

float slope_of(RegressionKind kind, float delta, float error) {
  if (kind == RegressionKind::kSquared) return 2 * error;
  if (kind == RegressionKind::kHuber) return std::clamp(error, -delta, delta);
  return static_cast<float>((error > 0) - (error < 0));
}

}  // namespace

void regression_loss_sum(const RegressionLoss& op, double* sum) {
  const auto& [kind, delta, count, outputs, targets] = op;
  std::vector<double> parts(static_cast<size_t>((count + kEntries - 1) / kEntries), 0.0);
  parallel_for(count, kEntries, [&](int64_t begin, int64_t end) {
    double total = 0;
    for (int64_t i = begin; i < end; ++i) {
      if (!std::isnan(targets[i])) total += loss_of(kind, delta, static_cast<double>(outputs[i]) - targets[i]);
    }
    parts[static_cast<size_t>(begin / kEntries)] = total;
  });
  *sum = std::accumulate(parts.begin(), parts.end(), 0.0);
}

void regression_loss_grad(const RegressionLoss& op, float scale, float* d_outputs) {
  const auto& [kind, delta, count, outputs, targets] = op;
  parallel_for(count, kEntries, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      d_outputs[i] = std::isnan(targets[i]) ? 0.0f : scale * slope_of(kind, delta, outputs[i] - targets[i]);
    }
  });
}

}  // namespace gnn
