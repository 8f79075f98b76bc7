#pragma once
#include <cstdint>

namespace gnn {

struct CrossEntropy {
  int64_t rows;
  int64_t classes;
  const float* logits;             // [rows, classes]
  const int32_t* labels;           // [rows], below `classes`; a negative label counts nothing
  const float* weights = nullptr;  // [rows]; null: 1
};

// *sum = sum over rows i of weights[i] * -log softmax(logits[i])[labels[i]], in double by fixed chunks.
void cross_entropy_sum(const CrossEntropy& op, double* sum);

// d_logits [rows, classes] = scale * weights[i] * (softmax(logits[i]) - onehot(labels[i]))
void cross_entropy_grad(const CrossEntropy& op, float scale, float* d_logits);

}  // namespace gnn
