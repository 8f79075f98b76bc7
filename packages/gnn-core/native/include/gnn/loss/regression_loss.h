#pragma once
#include <cstdint>

namespace gnn {

enum class RegressionLoss : int32_t { kSquared = 0, kAbsolute = 1, kHuber = 2 };

// Sum over `count` entries of l(output - target); entries whose target is NaN (not known) count nothing.
//   squared: e²   absolute: |e|   Huber: e²/2 up to |e| = delta, then delta·(|e| - delta/2)
// Entries are summed in double by fixed chunks.
double regression_loss_sum(RegressionLoss kind, float delta, int64_t count, const float* outputs, const float* targets);

// d_outputs = scale * l'(output - target); 0 where the target is NaN.
void regression_loss_grad(RegressionLoss kind, float delta, int64_t count, const float* outputs, const float* targets,
                          float scale, float* d_outputs);

}  // namespace gnn
