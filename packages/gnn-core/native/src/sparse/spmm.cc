#include "gnn/sparse/spmm.h"

#include <cstring>

#include "gnn/dense/rows.h"
#include "gnn/runtime/memory.h"
#include "gnn/runtime/parallel.h"
#include "gnn/sparse/row_sum.h"

namespace gnn {
namespace {

constexpr int64_t kRows = 256;

float inverse_degree(const BlockView& block, int64_t dst) {
  const int64_t degree = block.degree(dst);
  return degree == 0 ? 0.0f : 1.0f / static_cast<float>(degree);
}

}  // namespace

void spmm_mean_rows(const BlockView& block, int64_t dim, const float* x, int64_t begin, int64_t end, bool accumulate,
                    float* out) {
  Scratch sums(dim);
  for (int64_t dst = begin; dst < end; ++dst) {
    std::memset(sums.data(), 0, static_cast<size_t>(dim) * sizeof(float));
    sum_rows(x, dim, block.indices + block.indptr[dst], block.degree(dst), sums.data());
    const float scale = inverse_degree(block, dst);
    float* row = out + dst * dim;
    if (!accumulate) {
      scale_row(dim, scale, sums.data(), row);
    } else {
      const int32_t first = 0;
      weighted_sum_rows(sums.data(), dim, &first, &scale, 1, row);
    }
  }
}

void spmm_mean(const BlockView& block, int64_t dim, const float* x, float* out) {
  parallel_for(block.num_dst, kRows,
               [&](int64_t begin, int64_t end) { spmm_mean_rows(block, dim, x, begin, end, false, out); });
}

void spmm_mean_grad(const BlockView& block, int64_t dim, const float* dy, bool accumulate, float* dx) {
  Scratch scaled(block.num_dst * dim);
  parallel_for(block.num_dst, kRows, [&](int64_t begin, int64_t end) {
    for (int64_t dst = begin; dst < end; ++dst) {
      scale_row(dim, inverse_degree(block, dst), dy + dst * dim, scaled.data() + dst * dim);
    }
  });
  parallel_for(block.num_src, kRows, [&](int64_t begin, int64_t end) {
    if (!accumulate) std::memset(dx + begin * dim, 0, static_cast<size_t>((end - begin) * dim) * sizeof(float));
    for (int64_t src = begin; src < end; ++src) {
      const int32_t first = block.reverse_indptr[src];
      sum_rows(scaled.data(), dim, block.reverse_indices + first, block.reverse_indptr[src + 1] - first, dx + src * dim);
    }
  });
}

}  // namespace gnn
