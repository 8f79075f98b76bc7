#pragma once
#include <cstdint>

namespace gnn {

//   squared: e²   absolute: |e|   Huber: e²/2 up to |e| = delta, then delta·(|e| - delta/2)
enum class RegressionKind : int32_t { kSquared = 0, kAbsolute = 1, kHuber = 2 };

struct RegressionLoss {
  RegressionKind kind;
  float delta;           // read by Huber alone
  int64_t count;
  const float* outputs;  // [count]
  const float* targets;  // [count]; an entry that is NaN (not known) counts nothing
};

// *sum = sum over entries of l(output - target), in double by fixed chunks.
void regression_loss_sum(const RegressionLoss& op, double* sum);

// d_outputs [count] = scale * l'(output - target); 0 where the target is NaN.
void regression_loss_grad(const RegressionLoss& op, float scale, float* d_outputs);

}  // namespace gnn
