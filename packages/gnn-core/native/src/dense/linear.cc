#include "gnn/dense/linear.h"

#include <cstring>

#include "gnn/dense/rows.h"
#include "gnn/dense/sgemm.h"
#include "gnn/runtime/memory.h"
#include "gnn/runtime/parallel.h"

namespace gnn {

void linear(int64_t rows, int64_t in_dim, int64_t out_dim, const float* x, const float* weight, const float* bias,
            bool with_relu, float* out) {
  parallel_for(rows, row_chunk(rows), [&](int64_t begin, int64_t end) {
    float* chunk = out + begin * out_dim;
    fill_rows(end - begin, out_dim, bias, chunk);
    sgemm_serial(false, false, end - begin, out_dim, in_dim, x + begin * in_dim, weight, 1.0f, chunk);
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

void linear_grad(int64_t rows, int64_t in_dim, int64_t out_dim, const float* x, const float* weight, const float* out,
                 const float* dy, bool with_relu, float* dx, float* d_weight, float* d_bias) {
  Scratch masked(with_relu ? rows * out_dim : 0);
  masked_bias_grad(rows, out_dim, dy, with_relu ? out : nullptr, masked.data(), d_bias);
  const float* g = with_relu ? masked.data() : dy;
  sgemm(true, false, in_dim, out_dim, rows, x, g, 0.0f, d_weight);
  if (dx != nullptr) sgemm(false, true, rows, in_dim, out_dim, g, weight, 0.0f, dx);
}

}  // namespace gnn
