#include "gnn/sparse/csr_matmul.h"

#include <cmath>
#include <cstring>

#include "gnn/dense/rows.h"
#include "gnn/runtime/isa.h"
#include "gnn/runtime/parallel.h"
#include "gnn/sparse/row_sum.h"

namespace gnn {
namespace {

constexpr int64_t kRows = 256;
constexpr int64_t kColumns = 32;

GNN_MULTIVERSION void add_outer_slice(const CsrView& x, int64_t out_dim, const float* __restrict dy, int64_t begin,
                                      int64_t end, float* __restrict d_weight) {
  for (int64_t row = 0; row < x.rows; ++row) {
    const float* __restrict g = dy + row * out_dim;
    for (int32_t i = x.indptr[row]; i < x.indptr[row + 1]; ++i) {
      float* __restrict to = d_weight + x.indices[i] * out_dim;
      const float value = x.values[i];
      for (int64_t d = begin; d < end; ++d) to[d] = std::fmaf(value, g[d], to[d]);
    }
  }
}

}  // namespace

void csr_matmul(const CsrMatmul& op) {
  const CsrView& x = op.x;
  const int64_t out_dim = op.out_dim;
  parallel_for(x.rows, kRows, [&](int64_t begin, int64_t end) {
    float* chunk = op.out + begin * out_dim;
    if (op.bias != nullptr) {
      fill_rows(end - begin, out_dim, op.bias, chunk);
    } else {
      std::memset(chunk, 0, static_cast<size_t>((end - begin) * out_dim) * sizeof(float));
    }
    for (int64_t row = begin; row < end; ++row) {
      const int32_t first = x.indptr[row];
      weighted_sum_rows(op.weight, out_dim, x.indices + first, x.values + first, x.indptr[row + 1] - first,
                        op.out + row * out_dim);
    }
    if (op.with_relu) relu((end - begin) * out_dim, chunk);
  });
}

void csr_matmul_grad(const CsrView& x, int64_t out_dim, const float* dy, float* d_weight) {
  std::memset(d_weight, 0, static_cast<size_t>(x.dim * out_dim) * sizeof(float));
  parallel_for(out_dim, kColumns,
               [&](int64_t begin, int64_t end) { add_outer_slice(x, out_dim, dy, begin, end, d_weight); });
}

}  // namespace gnn
