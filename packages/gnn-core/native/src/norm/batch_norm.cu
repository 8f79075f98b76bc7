#include "gnn/cuda/norm/batch_norm.h"

#include "gnn/device/column_sums.h"

namespace gnn::cuda {
namespace {

// A thread per element.
__global__ void batch_norm_kernel(BatchNorm op) {
  const int64_t i = thread_index(), d = i % op.dim;
  if (i < op.rows * op.dim) op.out[i] = (op.x[i] - op.mean[d]) * (op.inverse[d] * op.scale[d]) + op.shift[d];
}

// A thread per element.
__global__ void add_moment_gradient_kernel(AddMomentGradient op) {
  const int64_t i = thread_index(), d = i % op.dim;
  if (i < op.rows * op.dim) op.dx[i] += op.linear[d] + op.quadratic[d] * (op.x[i] - op.mean[d]);
}

struct BatchNormTerm {
  BatchNormGrad op;
  __device__ void operator()(int64_t row, int64_t d, float (&sums)[2]) const {
    const int64_t at = row * op.dim + d;
    const float g = op.dy[at];
    op.dx[at] = g * (op.inverse[d] * op.scale[d]);
    sums[0] += g * (op.x[at] - op.mean[d]);
    sums[1] += g;
  }
};

struct StoreBatchNorm {
  BatchNormGrad op;
  __device__ void operator()(int64_t d, const float (&totals)[2]) const {
    op.d_scale[d] = totals[0] * op.inverse[d];
    op.d_shift[d] = totals[1];
  }
};

struct MomentTerm {
  const float* x;
  const float* center;
  int64_t dim;
  __device__ void operator()(int64_t row, int64_t d, double (&sums)[2]) const {
    const double from = static_cast<double>(x[row * dim + d]) - center[d];
    sums[0] += from;
    sums[1] += from * from;
  }
};

struct StoreMoments {
  float* sums;
  int64_t dim;
  __device__ void operator()(int64_t d, const double (&totals)[2]) const {
    sums[d] = static_cast<float>(totals[0]);
    sums[dim + d] = static_cast<float>(totals[1]);
  }
};

}  // namespace

void batch_norm(Stream& stream, const BatchNorm& op) {
  const int64_t count = op.rows * op.dim;
  if (count > 0) device::launch(batch_norm_kernel, device::grid_for(count), stream, op);
}

void batch_norm_grad(Stream& stream, const BatchNormGrad& op) {
  sum_columns<float, 2>(stream, op.rows, op.dim, BatchNormTerm{op}, StoreBatchNorm{op});
}

void column_moments(Stream& stream, int64_t rows, int64_t dim, const float* x, const float* center, float* sums) {
  sum_columns<double, 2>(stream, rows, dim, MomentTerm{x, center, dim}, StoreMoments{sums, dim});
}

void add_moment_gradient(Stream& stream, const AddMomentGradient& op) {
  const int64_t count = op.rows * op.dim;
  if (count > 0) device::launch(add_moment_gradient_kernel, device::grid_for(count), stream, op);
}

}  // namespace gnn::cuda
