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
struct GradientSums : WeightGradients {
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
        sgemm_serial({.trans_a = true,
                      .m = weight.x.dim(),
                      .n = out_dim,
                      .k = count,
                      .a = x,
                      .b = g,
                      .beta = 1.0f,
                      .c = product});
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

void linear(const Linear& op) {
  const RowSource& x = op.x;
  const int64_t out_dim = op.out_dim;
  // Rows that are copied stay in the second-level cache until the product has read them.
  const int64_t chunk_rows = x.contiguous() != nullptr ? row_chunk(op.rows) : 2 * kBlockRows;
  parallel_for(op.rows, chunk_rows, [&](int64_t begin, int64_t end) {
    Scratch copied(x.contiguous() != nullptr ? 0 : (end - begin) * x.dim());
    float* chunk = op.out + begin * out_dim;
    if (op.bias != nullptr) fill_rows(end - begin, out_dim, op.bias, chunk);
    sgemm_serial({.m = end - begin,
                  .n = out_dim,
                  .k = x.dim(),
                  .a = x.load(begin, end, copied.data()),
                  .b = op.weight,
                  .beta = op.bias != nullptr ? 1.0f : 0.0f,
                  .c = chunk});
    if (op.with_relu) relu((end - begin) * out_dim, chunk);
  });
}

void masked_bias_grad(const MaskedBiasGrad& op) {
  const int64_t dim = op.dim;
  const ReductionPlan plan = plan_reduction(op.rows);
  Scratch parts(plan.num_chunks * dim);
  std::memset(parts.data(), 0, static_cast<size_t>(plan.num_chunks * dim) * sizeof(float));
  parallel_for(op.rows, plan.chunk, [&](int64_t begin, int64_t end) {
    const float* chunk = op.dy + begin * dim;
    if (op.out != nullptr) {
      relu_grad((end - begin) * dim, chunk, op.out + begin * dim, op.masked + begin * dim);
      chunk = op.masked + begin * dim;
    }
    add_column_sums(end - begin, dim, chunk, parts.data() + begin / plan.chunk * dim);
  });
  sum_parts(parts.data(), plan.num_chunks, dim, op.d_bias);
}

void weight_gradients(const WeightGradients& op) {
  const ReductionPlan plan = plan_reduction(op.rows);
  const GradientSums sums{op};
  const int64_t size = sums.size();
  // Parts are taken in their order whatever the number of threads, and no more of them have memory than these can fill.
  const int64_t at_once = std::min<int64_t>(plan.num_chunks, threads() == 1 ? 1 : 2 * threads());
  Scratch parts(at_once * size);
  for (int64_t first = 0; first < plan.num_chunks; first += at_once) {
    const int64_t count = std::min(at_once, plan.num_chunks - first);
    const int64_t from = first * plan.chunk, to = std::min(op.rows, (first + count) * plan.chunk);
    std::memset(parts.data(), 0, static_cast<size_t>(count * size) * sizeof(float));
    parallel_for(to - from, plan.chunk, [&](int64_t begin, int64_t end) {
      sums.add_rows(from + begin, from + end, parts.data() + begin / plan.chunk * size);
    });
    for (int64_t c = 0; c < count; ++c) sums.take(parts.data() + c * size, first + c == 0);
  }
}

void linear_grad(const LinearGrad& op) {
  const bool keeps = op.with_relu && op.dx != nullptr;
  Scratch masked(keeps ? op.rows * op.out_dim : 0);
  weight_gradients({.rows = op.rows,
                    .out_dim = op.out_dim,
                    .dy = op.dy,
                    .out = op.with_relu ? op.out : nullptr,
                    .masked = keeps ? masked.data() : nullptr,
                    .weights = {{op.x, op.d_weight}},
                    .d_bias = op.d_bias});
  if (op.dx == nullptr) return;
  sgemm({.trans_b = true,
         .m = op.rows,
         .n = op.x.dim(),
         .k = op.out_dim,
         .a = op.with_relu ? masked.data() : op.dy,
         .b = op.weight,
         .c = op.dx});
}

}  // namespace gnn
