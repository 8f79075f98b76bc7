#include "gnn/optim/sgd.h"
#include "gnn/runtime/isa.h"
#include "gnn/runtime/parallel.h"

namespace gnn {
namespace {

constexpr int64_t kCount = 16384;

GNN_MULTIVERSION void sgd_chunk(int64_t count, float* __restrict p, float* __restrict b,
                                const float* __restrict gradient, float lr, float momentum, float weight_decay) {
  for (int64_t i = 0; i < count; ++i) {
    const float g = gradient[i] + weight_decay * p[i];
    b[i] = momentum * b[i] + g;
    p[i] -= lr * b[i];
  }
}

}  // namespace

void sgd_update(int64_t count, float* parameter, float* momentum_buffer, const float* gradient, const SgdOptions& o) {
  parallel_for(count, kCount, [&](int64_t begin, int64_t end) {
    sgd_chunk(end - begin, parameter + begin, momentum_buffer + begin, gradient + begin, o.lr, o.momentum,
              o.weight_decay);
  });
}

}  // namespace gnn
