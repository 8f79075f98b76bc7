#include "gnn/loss/cross_entropy.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <vector>

#include "gnn/runtime/parallel.h"

namespace gnn {
namespace {

constexpr int64_t kRows = 256;

float weight_of(const float* weights, int64_t row) { return weights == nullptr ? 1.0f : weights[row]; }

// Leaves exp(logit - max) in `out` when it is not null; returns the max and adds up the exponentials.
float exponentials(const float* logits, int64_t classes, float* out, double* sum) {
  const float highest = *std::max_element(logits, logits + classes);
  *sum = 0;
  for (int64_t c = 0; c < classes; ++c) {
    const float e = std::exp(logits[c] - highest);
    if (out != nullptr) out[c] = e;
    *sum += e;
  }
  return highest;
}

}  // namespace

void cross_entropy_sum(const CrossEntropy& op, double* sum) {
  const auto& [rows, classes, logits, labels, weights] = op;
  std::vector<double> parts(static_cast<size_t>((rows + kRows - 1) / kRows), 0.0);
  parallel_for(rows, kRows, [&](int64_t begin, int64_t end) {
    double total = 0;
    for (int64_t row = begin; row < end; ++row) {
      if (labels[row] < 0) continue;
      double exponents;
      const float highest = exponentials(logits + row * classes, classes, nullptr, &exponents);
      const double log_p = static_cast<double>(logits[row * classes + labels[row]]) - highest - std::log(exponents);
      total -= weight_of(weights, row) * log_p;
    }
    parts[static_cast<size_t>(begin / kRows)] = total;
  });
  *sum = std::accumulate(parts.begin(), parts.end(), 0.0);
}

void cross_entropy_grad(const CrossEntropy& op, float scale, float* d_logits) {
  const auto& [rows, classes, logits, labels, weights] = op;
  parallel_for(rows, kRows, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      float* out = d_logits + row * classes;
      if (labels[row] < 0) {
        std::memset(out, 0, static_cast<size_t>(classes) * sizeof(float));
        continue;
      }
      double sum;
      exponentials(logits + row * classes, classes, out, &sum);
      const float by = scale * weight_of(weights, row);
      const float normalise = static_cast<float>(by / sum);
      for (int64_t c = 0; c < classes; ++c) out[c] *= normalise;
      out[labels[row]] -= by;
    }
  });
}

}  // namespace gnn
