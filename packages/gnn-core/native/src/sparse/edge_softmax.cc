#include <algorithm>
#include <cmath>

#include "gnn/runtime/parallel.h"
#include "gnn/sparse/weighted_spmm.h"

namespace gnn {
namespace {

constexpr int64_t kRows = 256;

}  // namespace

void edge_softmax(const BlockView& block, int64_t heads, const float* scores, float* out) {
  parallel_for(block.num_dst, kRows, [&](int64_t begin, int64_t end) {
    for (int64_t dst = begin; dst < end; ++dst) {
      const int64_t first = block.indptr[dst], last = block.indptr[dst + 1];
      for (int64_t h = 0; h < heads && first < last; ++h) {
        float highest = scores[first * heads + h], sum = 0.0f;
        for (int64_t e = first + 1; e < last; ++e) highest = std::max(highest, scores[e * heads + h]);
        for (int64_t e = first; e < last; ++e) sum += out[e * heads + h] = std::exp(scores[e * heads + h] - highest);
        for (int64_t e = first; e < last; ++e) out[e * heads + h] /= sum;
      }
    }
  });
}

void edge_softmax_grad(const BlockView& block, int64_t heads, const float* out, const float* dy, float* d_scores) {
  parallel_for(block.num_dst, kRows, [&](int64_t begin, int64_t end) {
    for (int64_t dst = begin; dst < end; ++dst) {
      const int64_t first = block.indptr[dst], last = block.indptr[dst + 1];
      for (int64_t h = 0; h < heads; ++h) {
        float inner = 0.0f;
        for (int64_t e = first; e < last; ++e) inner += out[e * heads + h] * dy[e * heads + h];
        for (int64_t e = first; e < last; ++e) {
          d_scores[e * heads + h] = out[e * heads + h] * (dy[e * heads + h] - inner);
        }
      }
    }
  });
}

void gcn_norm(const GcnNorm& op) {
  const auto& [block, weights, importance, degrees, edges, selves] = op;
  const auto inverse_root = [&](int64_t row) {
    const float degree = degrees[row] + 1.0f;
    return degree > 0.0f ? 1.0f / std::sqrt(degree) : 0.0f;
  };
  parallel_for(block.num_dst, kRows, [&](int64_t begin, int64_t end) {
    for (int64_t dst = begin; dst < end; ++dst) {
      const int64_t first = block.indptr[dst], last = block.indptr[dst + 1];
      double present = 0.0;
      for (int64_t e = first; e < last; ++e) present += weights != nullptr ? weights[e] : 1.0f;
      const float of_dst = inverse_root(dst);
      const float found = static_cast<float>(present);
      const float scale = found > 0.0f && importance == nullptr ? of_dst * (degrees[dst] / found) : of_dst;
      for (int64_t e = first; e < last; ++e) {
        edges[e] = (weights != nullptr ? weights[e] : 1.0f) * scale * inverse_root(block.indices[e]);
        if (importance != nullptr) edges[e] *= importance[e];
      }
      selves[dst] = of_dst * of_dst;
    }
  });
}

}  // namespace gnn
