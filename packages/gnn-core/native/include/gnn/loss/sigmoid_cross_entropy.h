#pragma once
#include <cstdint>

namespace gnn {

// Sum over rows i and classes c of weights[i] * (softplus(z) - target·z), the cross-entropy of sigmoid(z) against a
// target in [0, 1]. weights null: 1. Rows are summed in double by fixed chunks.
double sigmoid_cross_entropy_sum(int64_t rows, int64_t classes, const float* logits, const float* targets,
                                 const float* weights);

// d_logits = scale * weights[i] * (sigmoid(z) - target)
void sigmoid_cross_entropy_grad(int64_t rows, int64_t classes, const float* logits, const float* targets,
                                const float* weights, float scale, float* d_logits);

}  // namespace gnn
