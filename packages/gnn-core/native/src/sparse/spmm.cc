#include "gnn/sparse/spmm.h"

#include "gnn/runtime/memory.h"
#include "gnn/runtime/parallel.h"
#include "gnn/sparse/row_sum.h"

namespace gnn {
namespace {

constexpr int64_t kRows = 256;

}  // namespace

void spmm_mean_rows(const BlockView& block, const RowSource& x, int64_t begin, int64_t end, bool accumulate,
                    float* out) {
  const SegmentSums sums{
      .indptr = block.indptr, .indices = block.indices, .mean = true, .accumulate_until = accumulate ? end : 0};
  sum_segments(x, sums, begin, end, out + begin * x.dim());
}

void spmm_mean(const BlockView& block, const RowSource& x, float* out) {
  parallel_for(block.num_dst, kRows,
               [&](int64_t begin, int64_t end) { spmm_mean_rows(block, x, begin, end, false, out); });
}

void spmm_mean_grad(const BlockView& block, int64_t dim, const float* dy, int64_t accumulate_until, float* dx) {
  Scratch inverse_degrees(block.num_dst);
  for (int64_t dst = 0; dst < block.num_dst; ++dst) {
    const int64_t degree = block.degree(dst);
    inverse_degrees.data()[dst] = degree == 0 ? 0.0f : 1.0f / static_cast<float>(degree);
  }
  const RowSource g(dy, dim);
  const SegmentSums sums{.indptr = block.reverse_indptr,
                         .indices = block.reverse_indices,
                         .row_weights = inverse_degrees.data(),
                         .accumulate_until = accumulate_until};
  parallel_for(block.num_src, kRows, [&](int64_t begin, int64_t end) {
    sum_segments(g, sums, begin, end, dx + begin * dim);
  });
}

}  // namespace gnn
