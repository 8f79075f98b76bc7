#include "gnn/nn/head_products.h"

#include <cmath>
#include <cstring>
#include <vector>

#include "gnn/runtime/isa.h"
#include "gnn/runtime/parallel.h"

namespace gnn {
namespace {

constexpr int64_t kRows = 64;

// sums += a * weights
GNN_MULTIVERSION void add_scaled(float a, const float* __restrict weights, int64_t count, float* __restrict sums) {
  for (int64_t i = 0; i < count; ++i) sums[i] = std::fmaf(a, weights[i], sums[i]);
}

template <typename Float>
Float* group_of(const HeadRows<Float>& rows, int64_t heads, int64_t row, int64_t group, int64_t head) {
  return rows.data + ((row * rows.groups + group) * heads + head) * rows.dim;
}

// [heads, terms of a, terms of c] of weights that are [heads, terms of c, terms of a]
std::vector<float> turned(const HeadProduct& op) {
  const int64_t k = op.a.terms(), n = op.c.terms();
  std::vector<float> weights(static_cast<size_t>(op.heads * k * n));
  for (int64_t h = 0; h < op.heads; ++h) {
    for (int64_t t = 0; t < k; ++t) {
      for (int64_t j = 0; j < n; ++j) weights[(h * k + t) * n + j] = op.weights[(h * n + j) * k + t];
    }
  }
  return weights;
}

// One head of one row of C. @param sums room for the terms of c
void multiply_row(const HeadProduct& op, const float* weights, int64_t row, int64_t head, float* sums) {
  const int64_t n = op.c.terms();
  std::memset(sums, 0, static_cast<size_t>(n) * sizeof(float));
  for (int64_t g = 0; g < op.a.groups; ++g) {
    const float* a = group_of(op.a, op.heads, row, g, head);
    for (int64_t d = 0; d < op.a.dim; ++d) add_scaled(a[d], weights + (g * op.a.dim + d) * n, n, sums);
  }
  for (int64_t g = 0; g < op.c.groups; ++g) {
    std::memcpy(group_of(op.c, op.heads, row, g, head), sums + g * op.c.dim,
                static_cast<size_t>(op.c.dim) * sizeof(float));
  }
}

// A head's gradient by the rows [begin, end). @param to [terms of a, terms of dc], zeros
void add_rows(const HeadWeightGrad& op, int64_t head, int64_t begin, int64_t end, float* to) {
  const int64_t n = op.dc.terms();
  for (int64_t row = begin; row < end; ++row) {
    for (int64_t t = 0; t < op.a.terms(); ++t) {
      const float a = group_of(op.a, op.heads, row, t / op.a.dim, head)[t % op.a.dim];
      for (int64_t g = 0; g < op.dc.groups; ++g) {
        add_scaled(a, group_of(op.dc, op.heads, row, g, head), op.dc.dim, to + t * n + g * op.dc.dim);
      }
    }
  }
}

}  // namespace

void multiply_heads(const HeadProduct& op) {
  const int64_t k = op.a.terms(), n = op.c.terms();
  const std::vector<float> own = op.transposed ? turned(op) : std::vector<float>();
  const float* weights = op.transposed ? own.data() : op.weights;
  parallel_for(op.rows, kRows, [&](int64_t begin, int64_t end) {
    std::vector<float> sums(static_cast<size_t>(n));
    for (int64_t h = 0; h < op.heads; ++h) {
      for (int64_t row = begin; row < end; ++row) multiply_row(op, weights + h * k * n, row, h, sums.data());
    }
  });
}

void head_weight_gradients(const HeadWeightGrad& op) {
  const int64_t parts = row_parts(op), own = rows_of_part(op), of_head = op.a.terms() * op.dc.terms();
  const int64_t count = op.heads * of_head;
  std::vector<float> sums(static_cast<size_t>(parts * count), 0.0f);
  parallel_for(parts * op.heads, 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t part = i / op.heads, head = i % op.heads;
      add_rows(op, head, std::min(part * own, op.rows), std::min((part + 1) * own, op.rows),
               sums.data() + part * count + head * of_head);
    }
  });
  if (parts == 1) {
    std::memcpy(op.d_weights, sums.data(), static_cast<size_t>(count) * sizeof(float));
    return;
  }
  std::memset(op.d_weights, 0, static_cast<size_t>(count) * sizeof(float));
  for (int64_t part = 0; part < parts; ++part) {
    for (int64_t i = 0; i < count; ++i) op.d_weights[i] += sums[part * count + i];
  }
}

}  // namespace gnn
