#include "gnn/norm/layer_norm.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "gnn/dense/sgemm.h"
#include "gnn/runtime/isa.h"
#include "gnn/runtime/memory.h"
#include "gnn/runtime/parallel.h"

namespace gnn {
namespace {

constexpr int64_t kRows = 256;
constexpr int64_t kLanes = 16;
constexpr float kSmallestNorm = 1e-12f;

// Sums over a row run in sixteen lanes: a fixed order that vectors can follow.
float sum_lanes(const float* lanes) {
  float total = 0.0f;
  for (int64_t lane = 0; lane < kLanes; ++lane) total += lanes[lane];
  return total;
}

GNN_MULTIVERSION float sum(int64_t dim, const float* __restrict x) {
  float lanes[kLanes] = {};
  int64_t d = 0;
  for (; d + kLanes <= dim; d += kLanes) {
    for (int64_t lane = 0; lane < kLanes; ++lane) lanes[lane] += x[d + lane];
  }
  for (; d < dim; ++d) lanes[0] += x[d];
  return sum_lanes(lanes);
}

// sum of (a - a0)(b - b0)
GNN_MULTIVERSION float product_sum(int64_t dim, const float* __restrict a, float a0, const float* __restrict b,
                                   float b0) {
  float lanes[kLanes] = {};
  int64_t d = 0;
  for (; d + kLanes <= dim; d += kLanes) {
    for (int64_t lane = 0; lane < kLanes; ++lane) lanes[lane] += (a[d + lane] - a0) * (b[d + lane] - b0);
  }
  for (; d < dim; ++d) lanes[0] += (a[d] - a0) * (b[d] - b0);
  return sum_lanes(lanes);
}

GNN_MULTIVERSION void normalize_row(int64_t dim, const float* __restrict x, float mean, float inverse,
                                    const float* __restrict scale, const float* __restrict shift,
                                    float* __restrict out) {
  for (int64_t d = 0; d < dim; ++d) out[d] = (x[d] - mean) * inverse * scale[d] + shift[d];
}

// normal = (x - mean) inverse and g = dy scale; adds dy normal and dy to the columns' sums.
GNN_MULTIVERSION void grad_row(int64_t dim, const float* __restrict x, float mean, float inverse,
                               const float* __restrict scale, const float* __restrict dy, float* __restrict normal,
                               float* __restrict g, float* __restrict d_scale, float* __restrict d_shift) {
  for (int64_t d = 0; d < dim; ++d) {
    normal[d] = (x[d] - mean) * inverse;
    g[d] = dy[d] * scale[d];
    d_scale[d] += dy[d] * normal[d];
    d_shift[d] += dy[d];
  }
}

GNN_MULTIVERSION void center_row(int64_t dim, float inverse, const float* __restrict g, float mean,
                                 const float* __restrict normal, float share, float* __restrict dx) {
  for (int64_t d = 0; d < dim; ++d) dx[d] = inverse * (g[d] - mean - normal[d] * share);
}

}  // namespace

void layer_norm(const LayerNorm& op) {
  const auto& [rows, dim, x, scale, shift, epsilon, moments, out] = op;
  parallel_for(rows, kRows, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const float* of = x + row * dim;
      const float mean = sum(dim, of) / static_cast<float>(dim);
      const float variance = product_sum(dim, of, mean, of, mean) / static_cast<float>(dim);
      const float inverse = 1.0f / std::sqrt(variance + epsilon);
      moments[2 * row] = mean, moments[2 * row + 1] = inverse;
      normalize_row(dim, of, mean, inverse, scale, shift, out + row * dim);
    }
  });
}

void layer_norm_grad(const LayerNormGrad& op) {
  const auto& [rows, dim, x, moments, scale, dy, dx, d_scale, d_shift] = op;
  const ReductionPlan plan = plan_reduction(rows);
  Scratch parts(plan.num_chunks * 2 * dim), sums(2 * dim);
  std::memset(parts.data(), 0, static_cast<size_t>(plan.num_chunks * 2 * dim) * sizeof(float));
  parallel_for(rows, plan.chunk, [&](int64_t begin, int64_t end) {
    Scratch rows_of(2 * dim);
    float *normal = rows_of.data(), *g = normal + dim, *part = parts.data() + begin / plan.chunk * 2 * dim;
    for (int64_t row = begin; row < end; ++row) {
      const float inverse = moments[2 * row + 1];
      grad_row(dim, x + row * dim, moments[2 * row], inverse, scale, dy + row * dim, normal, g, part, part + dim);
      const float mean = sum(dim, g) / static_cast<float>(dim);
      const float share = product_sum(dim, g, 0.0f, normal, 0.0f) / static_cast<float>(dim);
      center_row(dim, inverse, g, mean, normal, share, dx + row * dim);
    }
  });
  sum_parts(parts.data(), plan.num_chunks, 2 * dim, sums.data());
  std::copy_n(sums.data(), dim, d_scale);
  std::copy_n(sums.data() + dim, dim, d_shift);
}

void l2_normalize(int64_t rows, int64_t dim, const float* x, float* norms, float* out) {
  parallel_for(rows, kRows, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const float* of = x + row * dim;
      norms[row] = std::max(std::sqrt(product_sum(dim, of, 0.0f, of, 0.0f)), kSmallestNorm);
      const float scale = 1.0f / norms[row];
      for (int64_t d = 0; d < dim; ++d) out[row * dim + d] = of[d] * scale;
    }
  });
}

void l2_normalize_grad(const L2NormalizeGrad& op) {
  const auto& [rows, dim, out, norms, dy, dx] = op;
  parallel_for(rows, kRows, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const float *of = out + row * dim, *g = dy + row * dim;
      // Below the smallest norm the divisor is a constant.
      const float along = norms[row] > kSmallestNorm ? product_sum(dim, of, 0.0f, g, 0.0f) : 0.0f;
      center_row(dim, 1.0f / norms[row], g, 0.0f, of, along, dx + row * dim);
    }
  });
}

}  // namespace gnn
