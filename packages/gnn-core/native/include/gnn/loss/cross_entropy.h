#pragma once
#include <cstdint>

namespace gnn {

// Sum over rows i of weights[i] * -log softmax(logits[i])[labels[i]]. weights null: 1. A negative label counts
// nothing. Rows are summed in double by fixed chunks.
double cross_entropy_sum(int64_t rows, int64_t classes, const float* logits, const int32_t* labels,
                         const float* weights);

// d_logits = scale * weights[i] * (softmax(logits[i]) - onehot(labels[i]))
void cross_entropy_grad(int64_t rows, int64_t classes, const float* logits, const int32_t* labels,
                        const float* weights, float scale, float* d_logits);

}  // namespace gnn
