#include <cmath>

#include "gnn/optim/adam.h"
#include "gnn/runtime/isa.h"
#include "gnn/runtime/parallel.h"

namespace gnn {
namespace {

constexpr int64_t kCount = 16384;

GNN_MULTIVERSION void adam_chunk(int64_t count, float* __restrict p, float* __restrict m, float* __restrict v,
                                 const float* __restrict gradient, float beta1, float beta2, float epsilon,
                                 float weight_decay, float keep, float step_size, float inv_root) {
  for (int64_t i = 0; i < count; ++i) {
    const float g = gradient[i] + weight_decay * p[i];
    m[i] = beta1 * m[i] + (1.0f - beta1) * g;
    v[i] = beta2 * v[i] + (1.0f - beta2) * (g * g);
    p[i] = keep * p[i] - step_size * m[i] / (std::sqrt(v[i]) * inv_root + epsilon);
  }
}

}  // namespace

void adam_update(const AdamUpdate& op) {
  const auto& [count, parameter, momentum, variance, gradient, o, step] = op;
  const double t = static_cast<double>(step);
  const float step_size = static_cast<float>(o.lr / (1.0 - std::pow(static_cast<double>(o.beta1), t)));
  const float inv_root = static_cast<float>(1.0 / std::sqrt(1.0 - std::pow(static_cast<double>(o.beta2), t)));
  const float added = o.decoupled ? 0.0f : o.weight_decay;
  const float keep = o.decoupled ? 1.0f - o.lr * o.weight_decay : 1.0f;
  parallel_for(count, kCount, [&](int64_t begin, int64_t end) {
    adam_chunk(end - begin, parameter + begin, momentum + begin, variance + begin, gradient + begin, o.beta1, o.beta2,
               o.epsilon, added, keep, step_size, inv_root);
  });
}

}  // namespace gnn
