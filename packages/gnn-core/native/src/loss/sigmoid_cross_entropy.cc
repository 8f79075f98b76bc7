#include "gnn/loss/sigmoid_cross_entropy.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "gnn/runtime/parallel.h"

namespace gnn {
namespace {

constexpr int64_t kRows = 256;

float weight_of(const float* weights, int64_t row) { return weights == nullptr ? 1.0f : weights[row]; }

}  // namespace

void sigmoid_cross_entropy_sum(const SigmoidCrossEntropy& op, double* sum) {
  const auto& [rows, classes, logits, targets, weights] = op;
  std::vector<double> parts(static_cast<size_t>((rows + kRows - 1) / kRows), 0.0);
  parallel_for(rows, kRows, [&](int64_t begin, int64_t end) {
    double total = 0;
    for (int64_t row = begin; row < end; ++row) {
      double of_row = 0;
      for (int64_t i = row * classes; i < (row + 1) * classes; ++i) {
        const double z = logits[i];
        // max(z, 0) + log(1 + e^-|z|) is softplus without overflow.
        of_row += std::max(z, 0.0) + std::log1p(std::exp(-std::fabs(z))) - targets[i] * z;
      }
      total += weight_of(weights, row) * of_row;
    }
    parts[static_cast<size_t>(begin / kRows)] = total;
  });
  *sum = std::accumulate(parts.begin(), parts.end(), 0.0);
}

void sigmoid_cross_entropy_grad(const SigmoidCrossEntropy& op, float scale, float* d_logits) {
  const auto& [rows, classes, logits, targets, weights] = op;
  parallel_for(rows, kRows, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const float by = scale * weight_of(weights, row);
      for (int64_t i = row * classes; i < (row + 1) * classes; ++i) {
        d_logits[i] = by * (1.0f / (1.0f + std::exp(-logits[i])) - targets[i]);
      }
    }
  });
}

}  // namespace gnn
