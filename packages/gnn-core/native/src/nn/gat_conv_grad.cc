// Backward attention: by dst row the gradients of the scores, then by src row those of the projected rows.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "gnn/dense/sgemm.h"
#include "gnn/nn/gat_conv.h"
#include "gnn/nn/gat_edges.h"
#include "gnn/nn/gat_score_sides.h"
#include "gnn/runtime/isa.h"
#include "gnn/runtime/memory.h"
#include "gnn/runtime/parallel.h"

namespace gnn {
namespace {

constexpr int64_t kRows = 128;
constexpr int64_t kAhead = 8;

// By edge and head, side by side as the pass by src reads both at random places.
struct EdgeGradient {
  float passed;  // attention that reached the output
  float score;   // gradient of the score before the leaky ReLU
};

GNN_INLINE void grad_of_dst(const BlockView& block, const GatShape& shape, const GatSaved& saved, int64_t heads,
                            const float* dy, int64_t v, EdgeGradient* edges, float* d_score_dst) {
  const int64_t dim = shape.dim, width = heads * dim, degree = block.degree(v);
  const float scale = gat_scale(shape);
  const float* alpha = saved.alpha + first_gat_edge(block, v) * heads;
  const int32_t* src = block.indices + block.indptr[v];
  for (int64_t h = 0; h < heads; ++h) {
    const float* dy_row = dy + (shape.mean_heads ? v * dim : v * width + h * dim);
    float inner = 0.0f;
    for (int64_t i = 0; i <= degree; ++i) {
      const int64_t u = i < degree ? src[i] : v;
      const float signed_alpha = alpha[i * heads + h];
      EdgeGradient& edge = edges[i * heads + h];
      edge = {0.0f, 0.0f};
      if (std::signbit(signed_alpha)) continue;
      edge.passed = signed_alpha * scale;
      edge.score = scale * dot_lanes(saved.z + u * width + h * dim, dy_row, dim);
      inner += signed_alpha * edge.score;
    }
    ScoreSides sides;
    for (int64_t i = 0; i <= degree; ++i) {
      const int64_t u = i < degree ? src[i] : v;
      const bool is_positive = saved.score_src[u * heads + h] + saved.score_dst[v * heads + h] > 0.0f;
      const float attention = std::fabs(alpha[i * heads + h]);
      float& score = edges[i * heads + h].score;
      score = attention * (score - inner);
      sides.add(is_positive, attention, score);
      score *= is_positive ? 1.0f : shape.slope;
    }
    d_score_dst[v * heads + h] = sides.gradient(shape.slope);
  }
}

GNN_MULTIVERSION void grad_by_dst(const BlockView& block, const GatShape& shape, const GatSaved& saved,
                                  const float* dy, int64_t begin, int64_t end, EdgeGradient* edges,
                                  float* d_score_dst) {
  const int64_t heads = shape.heads, width = heads * shape.dim, last = block.indptr[end];
  for (int64_t v = begin; v < end; ++v) {
    for (int64_t e = block.indptr[v] + kAhead; e < block.indptr[v + 1] + kAhead && e < last; ++e) {
      for (int64_t d = 0; d < width; d += kLanes) __builtin_prefetch(saved.z + block.indices[e] * width + d);
    }
    EdgeGradient* row = edges + first_gat_edge(block, v) * heads;
    if (heads == 1) {
      grad_of_dst(block, shape, saved, 1, dy, v, row, d_score_dst);
    } else {
      grad_of_dst(block, shape, saved, heads, dy, v, row, d_score_dst);
    }
  }
}

GNN_MULTIVERSION void grad_by_src(const BlockView& block, const int32_t* reverse_edges, const GatShape& shape,
                                  const GatWeights& weights, const EdgeGradient* edges, const float* d_score_dst,
                                  const float* dy, int64_t begin, int64_t end, float* dz, float* d_score_src) {
  const int64_t heads = shape.heads, dim = shape.dim, width = heads * dim;
  const int64_t dy_width = shape.mean_heads ? dim : width, last = block.reverse_indptr[end];
  for (int64_t u = begin; u < end; ++u) {
    const int64_t from = block.reverse_indptr[u], to = block.reverse_indptr[u + 1];
    for (int64_t i = from + kAhead; i < to + kAhead && i < last; ++i) {
      const int64_t v = block.reverse_indices[i];
      __builtin_prefetch(edges + (reverse_edges[i] + v) * heads);
      for (int64_t d = 0; d < dy_width; d += kLanes) __builtin_prefetch(dy + v * dy_width + d);
    }
    for (int64_t h = 0; h < heads; ++h) {
      float* row = dz + u * width + h * dim;
      const float* dy_head = dy + (shape.mean_heads ? 0 : h * dim);
      float score = 0.0f;
      for (int64_t d = 0; d < dim; ++d) row[d] = 0.0f;
      const auto receive = [&](int64_t edge, int64_t v) {
        const EdgeGradient& gradient = edges[edge * heads + h];
        score += gradient.score;
        add_scaled_lanes(dy_head + v * dy_width, gradient.passed, dim, row);
      };
      for (int64_t i = from; i < to; ++i)
        receive(reverse_edges[i] + int64_t{block.reverse_indices[i]}, block.reverse_indices[i]);
      if (u < block.num_dst) receive(first_gat_edge(block, u) + block.degree(u), u);
      d_score_src[u * heads + h] = score;
      add_scaled_lanes(weights.src + h * dim, score, dim, row);
      if (u < block.num_dst) add_scaled_lanes(weights.dst + h * dim, d_score_dst[u * heads + h], dim, row);
    }
  }
}

GNN_MULTIVERSION void add_scored_rows(int64_t rows, int64_t heads, int64_t dim, const float* scores, const float* z,
                                      float* sums) {
  for (int64_t i = 0; i < rows * heads; ++i) add_scaled_lanes(z + i * dim, scores[i], dim, sums + i % heads * dim);
}

// out [heads, dim] = sum over rows of scores[row, h] z[row, h]
void weight_grad(int64_t rows, const GatShape& shape, const float* scores, const float* z, float* out) {
  const int64_t heads = shape.heads, width = heads * shape.dim;
  const ReductionPlan plan = plan_reduction(rows);
  const int64_t num_parts = std::max<int64_t>(plan.num_chunks, 1);
  Scratch parts(num_parts * width);
  std::memset(parts.data(), 0, static_cast<size_t>(num_parts * width) * sizeof(float));
  parallel_for(rows, plan.chunk, [&](int64_t begin, int64_t end) {
    add_scored_rows(end - begin, heads, shape.dim, scores + begin * heads, z + begin * width,
                    parts.data() + begin / plan.chunk * width);
  });
  sum_parts(parts.data(), num_parts, width, out);
}

}  // namespace

void gat_conv_grad(const GatConvGrad& op) {
  const auto& [block, reverse_edges, shape, weights, saved, dy, gradients] = op;
  const int64_t heads = shape.heads, num_edges = block.num_edges + block.num_dst;
  Scratch edge_memory(2 * num_edges * heads);
  auto* edges = reinterpret_cast<EdgeGradient*>(edge_memory.data());
  Scratch d_score_dst(block.num_dst * heads), d_score_src(block.num_src * heads);
  parallel_for(block.num_dst, kRows, [&](int64_t begin, int64_t end) {
    grad_by_dst(block, shape, saved, dy, begin, end, edges, d_score_dst.data());
  });
  parallel_for(block.num_src, kRows, [&](int64_t begin, int64_t end) {
    grad_by_src(block, reverse_edges, shape, weights, edges, d_score_dst.data(), dy, begin, end, gradients.z,
                d_score_src.data());
  });
  weight_grad(block.num_src, shape, d_score_src.data(), saved.z, gradients.src);
  weight_grad(block.num_dst, shape, d_score_dst.data(), saved.z, gradients.dst);
}

}  // namespace gnn
