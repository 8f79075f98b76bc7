#pragma once
#include <cstdint>

namespace gnn {

struct AdagradOptions {
  float lr, epsilon;
  float weight_decay;  // added to the gradient (L2)
};

// One update of one parameter, in place (Duchi et al. 2011): s += g², p -= lr·g / (√s + epsilon).
void adagrad_update(int64_t count, float* parameter, float* squares, const float* gradient,
                    const AdagradOptions& options);

}  // namespace gnn
