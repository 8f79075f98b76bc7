#include <cmath>

#include "gnn/optim/adagrad.h"
#include "gnn/runtime/isa.h"
#include "gnn/runtime/parallel.h"

namespace gnn {
namespace {

constexpr int64_t kCount = 16384;

GNN_MULTIVERSION void adagrad_chunk(int64_t count, float* __restrict p, float* __restrict s,
                                    const float* __restrict gradient, float lr, float epsilon, float weight_decay) {
  for (int64_t i = 0; i < count; ++i) {
    const float g = gradient[i] + weight_decay * p[i];
    s[i] += g * g;
    p[i] -= lr * g / (std::sqrt(s[i]) + epsilon);
  }
}

}  // namespace

void adagrad_update(int64_t count, float* parameter, float* squares, const float* gradient, const AdagradOptions& o) {
  parallel_for(count, kCount, [&](int64_t begin, int64_t end) {
    adagrad_chunk(end - begin, parameter + begin, squares + begin, gradient + begin, o.lr, o.epsilon, o.weight_decay);
  });
}

}  // namespace gnn
