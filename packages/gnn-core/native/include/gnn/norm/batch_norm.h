#pragma once
#include <cstdint>

namespace gnn {

// out = (x - mean) inverse scale + shift, column by column; x, out [rows, dim], the rest [dim].
// Ioffe and Szegedy 2015 (arXiv:1502.03167), algorithm 1, with inverse = 1 / sqrt(variance + epsilon) given.
void batch_norm(int64_t rows, int64_t dim, const float* x, const float* mean, const float* inverse, const float* scale,
                const float* shift, float* out);

// With the statistics held fixed: dx, d_scale = column sums of dy (x - mean) inverse, d_shift = column sums of dy.
void batch_norm_grad(int64_t rows, int64_t dim, const float* x, const float* mean, const float* inverse,
                     const float* scale, const float* dy, float* dx, float* d_scale, float* d_shift);

// Column sums of x - center, then of its square: sums [2, dim]. Chunks are summed in double in a fixed order.
void column_moments(int64_t rows, int64_t dim, const float* x, const float* center, float* sums);

// dx[row] += linear + quadratic (x[row] - mean), column by column: the gradient of statistics that x went into.
void add_moment_gradient(int64_t rows, int64_t dim, const float* x, const float* mean, const float* linear,
                         const float* quadratic, float* dx);

}  // namespace gnn
