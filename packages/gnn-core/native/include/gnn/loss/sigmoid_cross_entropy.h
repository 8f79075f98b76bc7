#pragma once
#include <cstdint>

namespace gnn {

// The cross-entropy of sigmoid(z) against a target in [0, 1].
struct SigmoidCrossEntropy {
  int64_t rows;
  int64_t classes;
  const float* logits;             // [rows, classes]
  const float* targets;            // [rows, classes]
  const float* weights = nullptr;  // [rows]; null: 1
};

// *sum = sum over rows i and classes c of weights[i] * (softplus(z) - target·z), in double by fixed chunks.
void sigmoid_cross_entropy_sum(const SigmoidCrossEntropy& op, double* sum);

// d_logits [rows, classes] = scale * weights[i] * (sigmoid(z) - target)
void sigmoid_cross_entropy_grad(const SigmoidCrossEntropy& op, float scale, float* d_logits);

}  // namespace gnn
