// Sums of gathered rows. Four rows a pass: one load and store of `out` serves four neighbours, and the loads of the
// four rows overlap, which is what hides the latency of rows that lie far apart.
#include "gnn/runtime/isa.h"
#include "gnn/sparse/row_sum.h"

namespace gnn {

namespace {

// Asks for a row that will be added soon: rows lie far apart, where no hardware prefetcher looks.
inline __attribute__((always_inline)) void prefetch_row(const float* row, int64_t dim) {
  for (int64_t d = 0; d < dim; d += 16) __builtin_prefetch(row + d);
}

}  // namespace

GNN_MULTIVERSION void sum_rows(const float* __restrict x, int64_t dim, const int32_t* __restrict indices,
                               int64_t count, float* __restrict out) {
  int64_t i = 0;
  for (; i + 4 <= count; i += 4) {
    const float* __restrict a = x + indices[i] * dim;
    const float* __restrict b = x + indices[i + 1] * dim;
    const float* __restrict c = x + indices[i + 2] * dim;
    const float* __restrict e = x + indices[i + 3] * dim;
    for (int64_t ahead = i + 4; ahead < i + 8 && ahead < count; ++ahead) prefetch_row(x + indices[ahead] * dim, dim);
    for (int64_t d = 0; d < dim; ++d) out[d] += (a[d] + b[d]) + (c[d] + e[d]);
  }
  for (; i < count; ++i) {
    const float* __restrict a = x + indices[i] * dim;
    for (int64_t d = 0; d < dim; ++d) out[d] += a[d];
  }
}

GNN_MULTIVERSION void weighted_sum_rows(const float* __restrict x, int64_t dim, const int32_t* __restrict indices,
                                        const float* __restrict weights, int64_t count, float* __restrict out) {
  int64_t i = 0;
  for (; i + 4 <= count; i += 4) {
    const float* __restrict a = x + indices[i] * dim;
    const float* __restrict b = x + indices[i + 1] * dim;
    const float* __restrict c = x + indices[i + 2] * dim;
    const float* __restrict e = x + indices[i + 3] * dim;
    const float wa = weights[i], wb = weights[i + 1], wc = weights[i + 2], we = weights[i + 3];
    for (int64_t d = 0; d < dim; ++d) out[d] += (wa * a[d] + wb * b[d]) + (wc * c[d] + we * e[d]);
  }
  for (; i < count; ++i) {
    const float* __restrict a = x + indices[i] * dim;
    const float w = weights[i];
    for (int64_t d = 0; d < dim; ++d) out[d] += w * a[d];
  }
}

}  // namespace gnn
