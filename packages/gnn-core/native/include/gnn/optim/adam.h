#pragma once
#include <cstdint>

namespace gnn {

struct AdamOptions {
  float lr, beta1, beta2, epsilon;
  float weight_decay;  // added to the gradient (L2), as PyTorch's Adam does
  // AdamW (Loshchilov & Hutter 2019): the decay shrinks the parameter itself, p *= 1 - lr·weight_decay, instead.
  bool decoupled = false;
};

// One update of one parameter, in place (Kingma & Ba 2015). `step` counts from 1.
void adam_update(int64_t count, float* parameter, float* momentum, float* variance, const float* gradient,
                 const AdamOptions& options, int64_t step);

}  // namespace gnn
