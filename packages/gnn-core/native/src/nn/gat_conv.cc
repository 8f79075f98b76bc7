#include "gnn/nn/gat_conv.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "gnn/dense/sgemm.h"
#include "gnn/random/philox.h"
#include "gnn/runtime/isa.h"
#include "gnn/runtime/memory.h"
#include "gnn/runtime/parallel.h"

namespace gnn {
namespace {

constexpr int64_t kRows = 128;
constexpr int64_t kHeadsPerPhilox = 8;

GNN_MULTIVERSION void dot_heads(const float* __restrict a, const float* __restrict b, int64_t heads, int64_t dim,
                                int64_t b_stride, float* __restrict out) {
  for (int64_t h = 0; h < heads; ++h) {
    const float *__restrict p = a + h * dim, *__restrict q = b + h * b_stride;
    float lanes[8] = {}, total = 0.0f;
    int64_t d = 0;
    for (; d + 8 <= dim; d += 8) {
      for (int64_t lane = 0; lane < 8; ++lane) lanes[lane] += p[d + lane] * q[d + lane];
    }
    for (; d < dim; ++d) total += p[d] * q[d];
    for (const float lane : lanes) total += lane;
    out[h] = total;
  }
}

// to[h * to_stride + d] += factors[h] * from[h * from_stride + d]
GNN_MULTIVERSION void add_heads(const float* __restrict from, int64_t from_stride, const float* __restrict factors,
                                int64_t heads, int64_t dim, float* __restrict to, int64_t to_stride) {
  for (int64_t h = 0; h < heads; ++h) {
    const float* __restrict p = from + h * from_stride;
    float* __restrict q = to + h * to_stride;
    const float factor = factors[h];
    for (int64_t d = 0; d < dim; ++d) q[d] += factor * p[d];
  }
}

float leaky(float x, float slope) { return x > 0.0f ? x : slope * x; }

// The src rows of dst row v, its self-loop last.
int64_t source(const BlockView& block, int64_t v, int64_t i) {
  return i < block.degree(v) ? block.indices[block.indptr[v] + i] : v;
}
// A stored edge from v to itself gives way to the self-loop.
bool is_skipped(const BlockView& block, int64_t v, int64_t i) { return i < block.degree(v) && source(block, v, i) == v; }
int64_t first_edge(const BlockView& block, int64_t v) { return block.indptr[v] + v; }

// factors[h] *= 0, or what keeps the expectation
void drop_attention(const GatShape& shape, int64_t u, int64_t v, float* factors) {
  if (shape.threshold == 0) return;
  const float scale = 65536.0f / static_cast<float>(65536u - shape.threshold);
  uint32_t words[4] = {};
  for (int64_t h = 0; h < shape.heads; ++h) {
    const int64_t half = h % kHeadsPerPhilox;
    if (half == 0) {
      words[0] = static_cast<uint32_t>(shape.src_ids[v]), words[1] = static_cast<uint32_t>(shape.src_ids[u]);
      words[2] = shape.key.epoch, words[3] = shape.key.step;
      philox4x32(words, shape.key.seed, shape.key.layer + 65536u * static_cast<uint32_t>(1 + h / kHeadsPerPhilox));
    }
    const uint32_t bits = half % 2 == 0 ? words[half / 2] & 0xffffu : words[half / 2] >> 16;
    factors[h] = bits < shape.threshold ? 0.0f : factors[h] * scale;
  }
}

void score_rows(const BlockView& block, const GatShape& shape, const GatWeights& weights, const float* z,
                float* score_src, float* score_dst) {
  const int64_t width = shape.heads * shape.dim;
  parallel_for(block.num_src, kRows, [&](int64_t begin, int64_t end) {
    for (int64_t u = begin; u < end; ++u) {
      dot_heads(z + u * width, weights.src, shape.heads, shape.dim, shape.dim, score_src + u * shape.heads);
      if (u >= block.num_dst) continue;
      dot_heads(z + u * width, weights.dst, shape.heads, shape.dim, shape.dim, score_dst + u * shape.heads);
    }
  });
}

// alpha of the edges of v for head h
void attend(const BlockView& block, const GatShape& shape, const float* score_src, const float* score_dst, int64_t v,
            int64_t h, float* alpha) {
  const int64_t count = block.degree(v) + 1;
  const auto score = [&](int64_t i) {
    return leaky(score_src[source(block, v, i) * shape.heads + h] + score_dst[v * shape.heads + h], shape.slope);
  };
  float highest = score(count - 1), sum = 0.0f;
  for (int64_t i = 0; i < count; ++i) highest = std::max(highest, score(i));
  for (int64_t i = 0; i < count; ++i) {
    sum += alpha[i * shape.heads + h] = is_skipped(block, v, i) ? 0.0f : std::exp(score(i) - highest);
  }
  for (int64_t i = 0; i < count; ++i) alpha[i * shape.heads + h] /= sum;
}

// The attention that reaches the output: after dropout, and divided by the heads when they are averaged.
void effective(const GatShape& shape, const float* alpha, int64_t u, int64_t v, float* factors) {
  const float share = shape.mean_heads ? 1.0f / static_cast<float>(shape.heads) : 1.0f;
  for (int64_t h = 0; h < shape.heads; ++h) factors[h] = alpha[h] * share;
  drop_attention(shape, u, v, factors);
}

// d_edges: gradient of the scores before the leaky ReLU; passed: the effective attention, for the pass by src.
void grad_by_dst(const BlockView& block, const GatShape& shape, const GatSaved& saved, const float* dy, int64_t v,
                 float* d_edges, float* passed, float* d_score_dst) {
  const int64_t heads = shape.heads, width = heads * shape.dim, count = block.degree(v) + 1;
  const int64_t dy_stride = shape.mean_heads ? 0 : shape.dim;
  const float* dy_row = dy + v * (shape.mean_heads ? shape.dim : width);
  const float* alpha = saved.alpha + first_edge(block, v) * heads;
  Scratch memory(3 * heads);
  float *kept = memory.data(), *inner = kept + heads, *ones = inner + heads;
  std::fill_n(inner, heads, 0.0f);
  std::fill_n(ones, heads, 1.0f);
  for (int64_t i = 0; i < count; ++i) {
    const int64_t u = source(block, v, i);
    float *d = d_edges + i * heads, *pass = passed + i * heads;
    effective(shape, alpha + i * heads, u, v, pass);
    effective(shape, ones, u, v, kept);
    dot_heads(saved.z + u * width, dy_row, heads, shape.dim, dy_stride, d);
    for (int64_t h = 0; h < heads; ++h) inner[h] += alpha[i * heads + h] * (d[h] *= kept[h]);
  }
  std::fill_n(d_score_dst + v * heads, heads, 0.0f);
  for (int64_t i = 0; i < count; ++i) {
    const int64_t u = source(block, v, i);
    for (int64_t h = 0; h < heads; ++h) {
      float& d = d_edges[i * heads + h];
      const bool is_positive = saved.score_src[u * heads + h] + saved.score_dst[v * heads + h] > 0.0f;
      d = alpha[i * heads + h] * (d - inner[h]) * (is_positive ? 1.0f : shape.slope);
      d_score_dst[v * heads + h] += d;
    }
  }
}

struct EdgeGradients {
  const float* scores;     // d_edges
  const float* passed;     // effective attention
  const float* score_dst;  // [num_dst, heads]
};

void grad_by_src(const BlockView& block, const int32_t* reverse_edges, const GatShape& shape,
                 const GatWeights& weights, const EdgeGradients& edges, const float* dy, int64_t u, float* dz,
                 float* d_score_src) {
  const int64_t heads = shape.heads, width = heads * shape.dim;
  const int64_t dy_stride = shape.mean_heads ? 0 : shape.dim, dy_width = shape.mean_heads ? shape.dim : width;
  std::fill_n(dz, width, 0.0f);
  std::fill_n(d_score_src, heads, 0.0f);
  const auto receive = [&](int64_t edge, int64_t v) {
    add_heads(dy + v * dy_width, dy_stride, edges.passed + edge * heads, heads, shape.dim, dz, shape.dim);
    for (int64_t h = 0; h < heads; ++h) d_score_src[h] += edges.scores[edge * heads + h];
  };
  for (int32_t i = block.reverse_indptr[u]; i < block.reverse_indptr[u + 1]; ++i) {
    receive(reverse_edges[i] + int64_t{block.reverse_indices[i]}, block.reverse_indices[i]);
  }
  if (u < block.num_dst) receive(block.indptr[u + 1] + u, u);
  add_heads(weights.src, shape.dim, d_score_src, heads, shape.dim, dz, shape.dim);
  if (u >= block.num_dst) return;
  add_heads(weights.dst, shape.dim, edges.score_dst + u * heads, heads, shape.dim, dz, shape.dim);
}

// out [heads, dim] = sum over rows of scores[row, h] z[row, h]
void weight_grad(int64_t rows, const GatShape& shape, const float* scores, const float* z, float* out) {
  const int64_t width = shape.heads * shape.dim;
  const ReductionPlan plan = plan_reduction(rows);
  Scratch parts(std::max<int64_t>(plan.num_chunks, 1) * width);
  std::memset(parts.data(), 0, static_cast<size_t>(std::max<int64_t>(plan.num_chunks, 1) * width) * sizeof(float));
  parallel_for(rows, plan.chunk, [&](int64_t begin, int64_t end) {
    float* part = parts.data() + begin / plan.chunk * width;
    for (int64_t row = begin; row < end; ++row) {
      add_heads(z + row * width, shape.dim, scores + row * shape.heads, shape.heads, shape.dim, part, shape.dim);
    }
  });
  sum_parts(parts.data(), std::max<int64_t>(plan.num_chunks, 1), width, out);
}

}  // namespace

void gat_conv(const BlockView& block, const GatShape& shape, const GatWeights& weights, const float* z,
              float* score_src, float* score_dst, float* alpha, float* out) {
  const int64_t heads = shape.heads, width = heads * shape.dim, out_width = shape.mean_heads ? shape.dim : width;
  const int64_t out_stride = shape.mean_heads ? 0 : shape.dim;
  score_rows(block, shape, weights, z, score_src, score_dst);
  parallel_for(block.num_dst, kRows, [&](int64_t begin, int64_t end) {
    Scratch factors(heads);
    std::memset(out + begin * out_width, 0, static_cast<size_t>((end - begin) * out_width) * sizeof(float));
    for (int64_t v = begin; v < end; ++v) {
      float* edges = alpha + first_edge(block, v) * heads;
      for (int64_t h = 0; h < heads; ++h) attend(block, shape, score_src, score_dst, v, h, edges);
      for (int64_t i = 0; i <= block.degree(v); ++i) {
        const int64_t u = source(block, v, i);
        effective(shape, edges + i * heads, u, v, factors.data());
        add_heads(z + u * width, shape.dim, factors.data(), heads, shape.dim, out + v * out_width, out_stride);
      }
    }
  });
}

void gat_conv_grad(const BlockView& block, const int32_t* reverse_edges, const GatShape& shape,
                   const GatWeights& weights, const GatSaved& saved, const float* dy, const GatGradients& gradients) {
  const int64_t heads = shape.heads, num_edges = block.num_edges() + block.num_dst;
  Scratch d_edges(num_edges * heads), passed(num_edges * heads);
  Scratch d_score_dst(block.num_dst * heads), d_score_src(block.num_src * heads);
  parallel_for(block.num_dst, kRows, [&](int64_t begin, int64_t end) {
    for (int64_t v = begin; v < end; ++v) {
      const int64_t first = first_edge(block, v) * heads;
      grad_by_dst(block, shape, saved, dy, v, d_edges.data() + first, passed.data() + first, d_score_dst.data());
    }
  });
  const EdgeGradients edges{d_edges.data(), passed.data(), d_score_dst.data()};
  parallel_for(block.num_src, kRows, [&](int64_t begin, int64_t end) {
    for (int64_t u = begin; u < end; ++u) {
      grad_by_src(block, reverse_edges, shape, weights, edges, dy, u, gradients.z + u * heads * shape.dim,
                  d_score_src.data() + u * heads);
    }
  });
  weight_grad(block.num_src, shape, d_score_src.data(), saved.z, gradients.src);
  weight_grad(block.num_dst, shape, d_score_dst.data(), saved.z, gradients.dst);
}

}  // namespace gnn
