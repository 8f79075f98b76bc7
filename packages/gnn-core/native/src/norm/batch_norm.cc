#include "gnn/norm/batch_norm.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "gnn/dense/sgemm.h"
#include "gnn/runtime/isa.h"
#include "gnn/runtime/memory.h"
#include "gnn/runtime/parallel.h"

namespace gnn {
namespace {

constexpr int64_t kRows = 512;

GNN_MULTIVERSION void normalize(int64_t rows, int64_t dim, const float* __restrict x, const float* __restrict mean,
                                const float* __restrict factor, const float* __restrict shift, float* __restrict out) {
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t d = 0; d < dim; ++d) out[i * dim + d] = (x[i * dim + d] - mean[d]) * factor[d] + shift[d];
  }
}

GNN_MULTIVERSION void grad(int64_t rows, int64_t dim, const float* __restrict x, const float* __restrict mean,
                           const float* __restrict factor, const float* __restrict dy, float* __restrict dx,
                           float* __restrict products, float* __restrict sums) {
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t d = 0; d < dim; ++d) {
      const float g = dy[i * dim + d];
      dx[i * dim + d] = g * factor[d];
      products[d] += g * (x[i * dim + d] - mean[d]);
      sums[d] += g;
    }
  }
}

GNN_MULTIVERSION void add_moments(int64_t rows, int64_t dim, const float* __restrict x, const float* __restrict center,
                                  double* __restrict sums, double* __restrict squares) {
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t d = 0; d < dim; ++d) {
      const double from = static_cast<double>(x[i * dim + d]) - center[d];
      sums[d] += from;
      squares[d] += from * from;
    }
  }
}

GNN_MULTIVERSION void add_affine(int64_t rows, int64_t dim, const float* __restrict x, const float* __restrict mean,
                                 const float* __restrict linear, const float* __restrict quadratic,
                                 float* __restrict dx) {
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t d = 0; d < dim; ++d) dx[i * dim + d] += linear[d] + quadratic[d] * (x[i * dim + d] - mean[d]);
  }
}

}  // namespace

void batch_norm(const BatchNorm& op) {
  const auto& [rows, dim, x, mean, inverse, scale, shift, out] = op;
  Scratch factor(dim);
  for (int64_t d = 0; d < dim; ++d) factor.data()[d] = inverse[d] * scale[d];
  parallel_for(rows, kRows, [&](int64_t begin, int64_t end) {
    normalize(end - begin, dim, x + begin * dim, mean, factor.data(), shift, out + begin * dim);
  });
}

void batch_norm_grad(const BatchNormGrad& op) {
  const auto& [rows, dim, x, mean, inverse, scale, dy, dx, d_scale, d_shift] = op;
  const ReductionPlan plan = plan_reduction(rows);
  Scratch factor(dim), parts(plan.num_chunks * 2 * dim), sums(2 * dim);
  for (int64_t d = 0; d < dim; ++d) factor.data()[d] = inverse[d] * scale[d];
  std::memset(parts.data(), 0, static_cast<size_t>(plan.num_chunks * 2 * dim) * sizeof(float));
  parallel_for(rows, plan.chunk, [&](int64_t begin, int64_t end) {
    float* part = parts.data() + begin / plan.chunk * 2 * dim;
    const int64_t at = begin * dim;
    grad(end - begin, dim, x + at, mean, factor.data(), dy + at, dx + at, part, part + dim);
  });
  sum_parts(parts.data(), plan.num_chunks, 2 * dim, sums.data());
  for (int64_t d = 0; d < dim; ++d) d_scale[d] = sums.data()[d] * inverse[d];
  std::copy_n(sums.data() + dim, dim, d_shift);
}

void column_moments(int64_t rows, int64_t dim, const float* x, const float* center, float* sums) {
  const ReductionPlan plan = plan_reduction(rows);
  std::vector<double> parts(static_cast<size_t>(plan.num_chunks * 2 * dim), 0.0);
  parallel_for(rows, plan.chunk, [&](int64_t begin, int64_t end) {
    double* part = parts.data() + begin / plan.chunk * 2 * dim;
    add_moments(end - begin, dim, x + begin * dim, center, part, part + dim);
  });
  for (int64_t i = 0; i < 2 * dim; ++i) {
    double total = 0.0;
    for (int64_t c = 0; c < plan.num_chunks; ++c) total += parts[static_cast<size_t>(c * 2 * dim + i)];
    sums[i] = static_cast<float>(total);
  }
}

void add_moment_gradient(const AddMomentGradient& op) {
  const auto& [rows, dim, x, mean, linear, quadratic, dx] = op;
  parallel_for(rows, kRows, [&](int64_t begin, int64_t end) {
    add_affine(end - begin, dim, x + begin * dim, mean, linear, quadratic, dx + begin * dim);
  });
}

}  // namespace gnn
