#pragma once
#include <cstdint>

namespace gnn {

struct AdamOptions {
  float lr, beta1, beta2, epsilon;
  float weight_decay;  // added to the gradient (L2), as PyTorch's Adam does
  // AdamW (Loshchilov & Hutter 2019): the decay shrinks the parameter itself, p *= 1 - lr·weight_decay, instead.
  bool decoupled = false;
};

// One update of one parameter, in place (Kingma & Ba 2015). All arrays have `count` elements.
struct AdamUpdate {
  int64_t count;
  float* parameter;
  float* momentum;
  float* variance;
  const float* gradient;
  AdamOptions options;
  int64_t step;  // counts from 1
};
void adam_update(const AdamUpdate& op);

}  // namespace gnn
