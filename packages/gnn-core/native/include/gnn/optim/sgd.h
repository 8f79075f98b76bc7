#pragma once
#include <cstdint>

namespace gnn {

struct SgdOptions {
  float lr, momentum;
  float weight_decay;  // added to the gradient (L2)
};

// One update of one parameter, in place: b = momentum·b + g, p -= lr·b, as PyTorch's SGD without dampening.
void sgd_update(int64_t count, float* parameter, float* momentum_buffer, const float* gradient,
                const SgdOptions& options);

}  // namespace gnn
