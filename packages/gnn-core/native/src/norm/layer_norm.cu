#include "gnn/cuda/norm/layer_norm.h"

#include <cmath>

#include "gnn/device/column_sums.h"
#include "gnn/device/warp.h"

namespace gnn::cuda {
namespace {

constexpr float kSmallestNorm = 1e-12f;

// A warp per row, its lanes side by side in the columns, in all of these.
__global__ void __launch_bounds__(kRowWarps * 32) layer_norm_kernel(LayerNorm op) {
  const int64_t row = warp_index(), dim = op.dim;
  if (row >= op.rows) return;
  const float* x = op.x + row * dim;
  float sum = 0.0f, squares = 0.0f;
  for (int64_t d = lane_index(); d < dim; d += 32) sum += x[d];
  const float mean = warp_sum(sum) / static_cast<float>(dim);
  for (int64_t d = lane_index(); d < dim; d += 32) squares += (x[d] - mean) * (x[d] - mean);
  const float inverse = 1.0f / sqrtf(warp_sum(squares) / static_cast<float>(dim) + op.epsilon);
  for (int64_t d = lane_index(); d < dim; d += 32)
    op.out[row * dim + d] = (x[d] - mean) * inverse * op.scale[d] + op.shift[d];
  if (lane_index() == 0) op.moments[2 * row] = mean, op.moments[2 * row + 1] = inverse;
}

__global__ void __launch_bounds__(kRowWarps * 32) layer_norm_grad_kernel(LayerNormGrad op) {
  const int64_t row = warp_index(), dim = op.dim;
  if (row >= op.rows) return;
  const float *x = op.x + row * dim, *dy = op.dy + row * dim;
  const float mean = op.moments[2 * row], inverse = op.moments[2 * row + 1];
  float sum = 0.0f, along = 0.0f;
  for (int64_t d = lane_index(); d < dim; d += 32) {
    const float g = dy[d] * op.scale[d];
    sum += g;
    along += g * (x[d] - mean) * inverse;
  }
  sum = warp_sum(sum) / static_cast<float>(dim);
  along = warp_sum(along) / static_cast<float>(dim);
  for (int64_t d = lane_index(); d < dim; d += 32) {
    op.dx[row * dim + d] = inverse * (dy[d] * op.scale[d] - sum - (x[d] - mean) * inverse * along);
  }
}

struct LayerNormTerm {
  LayerNormGrad op;
  __device__ void operator()(int64_t row, int64_t d, float (&sums)[2]) const {
    const float g = op.dy[row * op.dim + d];
    sums[0] += g * (op.x[row * op.dim + d] - op.moments[2 * row]) * op.moments[2 * row + 1];
    sums[1] += g;
  }
};

struct StoreLayerNorm {
  LayerNormGrad op;
  __device__ void operator()(int64_t d, const float (&totals)[2]) const {
    op.d_scale[d] = totals[0];
    op.d_shift[d] = totals[1];
  }
};

__global__ void __launch_bounds__(kRowWarps * 32)
    l2_normalize_kernel(int64_t rows, int64_t dim, const float* x, float* norms, float* out) {
  const int64_t row = warp_index();
  if (row >= rows) return;
  float squares = 0.0f;
  for (int64_t d = lane_index(); d < dim; d += 32) squares += x[row * dim + d] * x[row * dim + d];
  const float norm = fmaxf(sqrtf(warp_sum(squares)), kSmallestNorm);
  for (int64_t d = lane_index(); d < dim; d += 32) out[row * dim + d] = x[row * dim + d] / norm;
  if (lane_index() == 0) norms[row] = norm;
}

// Below the smallest norm the divisor is a constant.
__global__ void __launch_bounds__(kRowWarps * 32) l2_normalize_grad_kernel(L2NormalizeGrad op) {
  const int64_t row = warp_index(), dim = op.dim;
  if (row >= op.rows) return;
  const float *out = op.out + row * dim, *dy = op.dy + row * dim, norm = op.norms[row];
  float along = 0.0f;
  for (int64_t d = lane_index(); d < dim; d += 32) along += out[d] * dy[d];
  along = warp_sum(along);
  if (!(norm > kSmallestNorm)) along = 0.0f;
  for (int64_t d = lane_index(); d < dim; d += 32) op.dx[row * dim + d] = (dy[d] - out[d] * along) / norm;
}

}  // namespace

void layer_norm(Stream& stream, const LayerNorm& op) {
  if (op.rows > 0) device::launch(layer_norm_kernel, grid_of_warps(op.rows), stream, op);
}

void layer_norm_grad(Stream& stream, const LayerNormGrad& op) {
  if (op.rows > 0) device::launch(layer_norm_grad_kernel, grid_of_warps(op.rows), stream, op);
  sum_columns<float, 2>(stream, op.rows, op.dim, LayerNormTerm{op}, StoreLayerNorm{op});
}

void l2_normalize(Stream& stream, int64_t rows, int64_t dim, const float* x, float* norms, float* out) {
  if (rows > 0) device::launch(l2_normalize_kernel, grid_of_warps(rows), stream, rows, dim, x, norms, out);
}

void l2_normalize_grad(Stream& stream, const L2NormalizeGrad& op) {
  if (op.rows > 0) device::launch(l2_normalize_grad_kernel, grid_of_warps(op.rows), stream, op);
}

}  // namespace gnn::cuda
