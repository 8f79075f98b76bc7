#include "gnn/dense/linear.h"

#include <algorithm>
#include <cstring>

#include "gnn/dense/rows.h"
#include "gnn/dense/sgemm.h"
#include "gnn/runtime/memory.h"
#include "gnn/runtime/parallel.h"

namespace gnn {
namespace {

// Rows that stay in the second-level cache while every product reads them.
constexpr int64_t kCachedRows = 512;

// The gradients of one layer's parameters as sums over rows. A part is [that of the bias | those of the weights].
struct GradientSums {
  int64_t out_dim;
  const float *dy, *out;
  float* masked;
  std::initializer_list<WeightGradient> weights;
  float* d_bias;

  int64_t size() const {
    int64_t size = out_dim;
    for (const WeightGradient& weight : weights) size += weight.x.dim() * out_dim;
    return size;
  }

  void add_rows(int64_t begin, int64_t end, float* part) const {
    int64_t copied_dim = 0;
    for (const WeightGradient& weight : weights) {
      if (weight.x.contiguous() == nullptr) copied_dim = std::max(copied_dim, weight.x.dim());
    }
    Scratch copied(kCachedRows * copied_dim);
    Scratch cached(out != nullptr && masked == nullptr ? kCachedRows * out_dim : 0);
    for (int64_t row = begin; row < end; row += kCachedRows) {
      const int64_t count = std::min(kCachedRows, end - row);
      const float* g = dy + row * out_dim;
      if (out != nullptr) {
        float* to = masked == nullptr ? cached.data() : masked + row * out_dim;
        relu_grad(count * out_dim, g, out + row * out_dim, to);
        g = to;
      }
      if (d_bias != nullptr) add_column_sums(count, out_dim, g, part);
      float* product = part + out_dim;
      for (const WeightGradient& weight : weights) {
        const float* x = weight.x.load(row, row + count, copied.data());
        sgemm_serial(true, false, weight.x.dim(), out_dim, count, x, g, 1.0f, product);
        product += weight.x.dim() * out_dim;
      }
    }
  }

  // Adds a part to the results; the first one begins them.
  void take(const float* part, bool is_first) const {
    const auto take_sums = [&](int64_t count, float* to) {
      if (to != nullptr && is_first) std::memcpy(to, part, static_cast<size_t>(count) * sizeof(float));
      if (to != nullptr && !is_first) add_column_sums(1, count, part, to);
      part += count;
    };
    take_sums(out_dim, d_bias);
    for (const WeightGradient& weight : weights) take_sums(weight.x.dim() * out_dim, weight.d_weight);
  }
};

}  // namespace

void linear(int64_t rows, int64_t out_dim, const RowSource& x, const float* weight, const float* bias, bool with_relu,
            float* out) {
  // Rows that are copied stay in the second-level cache until the product has read them.
  const int64_t chunk_rows = x.contiguous() != nullptr ? row_chunk(rows) : 2 * kBlockRows;
  parallel_for(rows, chunk_rows, [&](int64_t begin, int64_t end) {
    Scratch copied(x.contiguous() != nullptr ? 0 : (end - begin) * x.dim());
    float* chunk = out + begin * out_dim;
    if (bias != nullptr) fill_rows(end - begin, out_dim, bias, chunk);
    sgemm_serial(false, false, end - begin, out_dim, x.dim(), x.load(begin, end, copied.data()), weight,
                 bias != nullptr ? 1.0f : 0.0f, chunk);
    if (with_relu) relu((end - begin) * out_dim, chunk);
  });
}

void masked_bias_grad(int64_t rows, int64_t dim, const float* dy, const float* out, float* masked, float* d_bias) {
  const ReductionPlan plan = plan_reduction(rows);
  Scratch parts(plan.num_chunks * dim);
  std::memset(parts.data(), 0, static_cast<size_t>(plan.num_chunks * dim) * sizeof(float));
  parallel_for(rows, plan.chunk, [&](int64_t begin, int64_t end) {
    const float* chunk = dy + begin * dim;
    if (out != nullptr) {
      relu_grad((end - begin) * dim, chunk, out + begin * dim, masked + begin * dim);
      chunk = masked + begin * dim;
    }
    add_column_sums(end - begin, dim, chunk, parts.data() + begin / plan.chunk * dim);
  });
  sum_parts(parts.data(), plan.num_chunks, dim, d_bias);
}

void weight_gradients(int64_t rows, int64_t out_dim, const float* dy, const float* out, float* masked,
                      std::initializer_list<WeightGradient> weights, float* d_bias) {
  const ReductionPlan plan = plan_reduction(rows);
  const GradientSums sums{out_dim, dy, out, masked, weights, d_bias};
  const int64_t size = sums.size();
  // Parts are taken in their order whatever the number of threads, and no more of them have memory than these can fill.
  const int64_t at_once = std::min<int64_t>(plan.num_chunks, threads() == 1 ? 1 : 2 * threads());
  Scratch parts(at_once * size);
  for (int64_t first = 0; first < plan.num_chunks; first += at_once) {
    const int64_t count = std::min(at_once, plan.num_chunks - first);
    const int64_t from = first * plan.chunk, to = std::min(rows, (first + count) * plan.chunk);
    std::memset(parts.data(), 0, static_cast<size_t>(count * size) * sizeof(float));
    parallel_for(to - from, plan.chunk, [&](int64_t begin, int64_t end) {
      sums.add_rows(from + begin, from + end, parts.data() + begin / plan.chunk * size);
    });
    for (int64_t c = 0; c < count; ++c) sums.take(parts.data() + c * size, first + c == 0);
  }
}

void linear_grad(int64_t rows, int64_t out_dim, const RowSource& x, const float* weight, const float* out,
                 const float* dy, bool with_relu, float* dx, float* d_weight, float* d_bias) {
  const bool keeps = with_relu && dx != nullptr;
  Scratch masked(keeps ? rows * out_dim : 0);
  weight_gradients(rows, out_dim, dy, with_relu ? out : nullptr, keeps ? masked.data() : nullptr, {{x, d_weight}},
                   d_bias);
  if (dx != nullptr) sgemm(false, true, rows, x.dim(), out_dim, with_relu ? masked.data() : dy, weight, 0.0f, dx);
}

}  // namespace gnn
