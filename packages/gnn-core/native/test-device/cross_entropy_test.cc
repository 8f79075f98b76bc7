#include <algorithm>
#include <cmath>

#include "arrays.h"
#include "check.h"
#include "gnn/cuda/loss/cross_entropy.h"

namespace check {
namespace {

// Rows with and without labels, with logits whose exponentials overflow, and with ties.
struct Batch {
  int64_t rows, classes;
  std::vector<float> logits, weights;
  std::vector<int32_t> labels;
};

Batch batch_of(int64_t rows, int64_t classes) {
  Batch b{rows, classes, random_floats(rows * classes, 1), random_floats(rows, 2),
          random_ints(rows, static_cast<int32_t>(classes), 3)};
  for (float& logit : b.logits) logit = std::round(logit * 4) * 40;
  for (float& weight : b.weights) weight += 2;
  for (size_t i = 0; i < b.labels.size(); i += 5) b.labels[i] = -1;
  return b;
}

double hits_of(const Batch& b) {
  double hits = 0;
  for (int64_t row = 0; row < b.rows; ++row) {
    const auto begin = b.logits.begin() + row * b.classes;
    hits += b.labels[row] == std::max_element(begin, begin + b.classes) - begin;
  }
  return hits;
}

}  // namespace

DEVICE_TEST("cross_entropy_sum and count_hits are the CPU's") {
  for (const int64_t classes : {2, 47}) {
    Stream stream;
    const Batch b = batch_of(300, classes);
    double loss = 0;
    gnn::cross_entropy_sum({b.rows, classes, b.logits.data(), b.labels.data(), b.weights.data()}, &loss);
    const OnDevice<float> logits(stream, b.logits), weights(stream, b.weights);
    const OnDevice<int32_t> labels(stream, b.labels);
    const OnDevice<float> sums(stream, 2);
    const gnn::CrossEntropy op{b.rows, classes, logits, labels, weights};
    gnn::cuda::cross_entropy_sum(stream, op, sums);
    gnn::cuda::count_hits(stream, op, sums + 1);
    const std::vector<float> found = sums.read();
    expect(std::abs(found[0] / loss - 1) < 1e-6, "loss: found " + std::to_string(found[0]));
    expect(found[1] == hits_of(b) && found[1] > 0, "hits: found " + std::to_string(found[1]));
  }
}

DEVICE_TEST("cross_entropy_grad is the CPU's") {
  for (const int64_t classes : {2, 47}) {
    Stream stream;
    const Batch b = batch_of(60, classes);
    std::vector<float> expected(b.logits.size());
    gnn::cross_entropy_grad({b.rows, classes, b.logits.data(), b.labels.data()}, 0.125f, expected.data());
    const OnDevice<float> logits(stream, b.logits), d_logits(stream, b.rows * classes);
    const OnDevice<int32_t> labels(stream, b.labels);
    gnn::cuda::cross_entropy_grad(stream, {b.rows, classes, logits, labels}, 0.125f, d_logits);
    expect_close(d_logits.read(), expected, 1e-6, std::to_string(classes) + " classes");
  }
}

}  // namespace check
