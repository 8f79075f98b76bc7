#include "gnn/nn/head_sums.h"

#include <cstring>

#include "gnn/runtime/isa.h"
#include "gnn/runtime/parallel.h"

namespace gnn {
namespace {

constexpr int64_t kRows = 128;

// out_h += weights[h] x_h for all heads of a row
GNN_MULTIVERSION void add_heads(const float* __restrict weights, const float* __restrict x, int64_t heads, int64_t dim,
                                float* __restrict out) {
  for (int64_t h = 0; h < heads; ++h) {
    for (int64_t d = 0; d < dim; ++d) out[h * dim + d] += weights[h] * x[h * dim + d];
  }
}

GNN_MULTIVERSION void dot_heads(const float* __restrict x, const float* __restrict y, int64_t heads, int64_t dim,
                                float* __restrict out) {
  for (int64_t h = 0; h < heads; ++h) {
    // Eight running sums: a fixed order that vectors can follow.
    float sums[8] = {};
    const float *a = x + h * dim, *b = y + h * dim;
    int64_t d = 0;
    for (; d + 8 <= dim; d += 8) {
      for (int64_t lane = 0; lane < 8; ++lane) sums[lane] += a[d + lane] * b[d + lane];
    }
    float total = 0.0f;
    for (; d < dim; ++d) total += a[d] * b[d];
    for (const float sum : sums) total += sum;
    out[h] = total;
  }
}

}  // namespace

void head_sum(const HeadShape& shape, const float* weights, const float* x, float* out) {
  const BlockView& block = shape.block;
  const int64_t width = shape.width();
  parallel_for(block.num_dst, kRows, [&](int64_t begin, int64_t end) {
    std::memset(out + begin * width, 0, static_cast<size_t>((end - begin) * width) * sizeof(float));
    for (int64_t v = begin; v < end; ++v) {
      for (int32_t e = block.indptr[v]; e < block.indptr[v + 1]; ++e) {
        add_heads(weights + e * shape.heads, x + block.indices[e] * width, shape.heads, shape.dim, out + v * width);
      }
    }
  });
}

void head_sum_grad(const HeadShape& shape, const int32_t* reverse_edges, const float* weights, const float* dy,
                   float* dx) {
  const BlockView& block = shape.block;
  const int64_t width = shape.width();
  parallel_for(block.num_src, kRows, [&](int64_t begin, int64_t end) {
    std::memset(dx + begin * width, 0, static_cast<size_t>((end - begin) * width) * sizeof(float));
    for (int64_t u = begin; u < end; ++u) {
      for (int32_t i = block.reverse_indptr[u]; i < block.reverse_indptr[u + 1]; ++i) {
        add_heads(weights + reverse_edges[i] * shape.heads, dy + block.reverse_indices[i] * width, shape.heads,
                  shape.dim, dx + u * width);
      }
    }
  });
}

void head_dot(const HeadShape& shape, const float* x, const float* y, float* out) {
  const BlockView& block = shape.block;
  const int64_t width = shape.width();
  parallel_for(block.num_dst, kRows, [&](int64_t begin, int64_t end) {
    for (int64_t v = begin; v < end; ++v) {
      for (int32_t e = block.indptr[v]; e < block.indptr[v + 1]; ++e) {
        dot_heads(x + block.indices[e] * width, y + v * width, shape.heads, shape.dim, out + e * shape.heads);
      }
    }
  });
}

}  // namespace gnn
