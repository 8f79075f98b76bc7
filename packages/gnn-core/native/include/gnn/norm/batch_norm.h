#pragma once
#include <cstdint>

namespace gnn {

// out = (x - mean) inverse scale + shift, column by column. Ioffe and Szegedy 2015 (arXiv:1502.03167), algorithm 1.
struct BatchNorm {
  int64_t rows;
  int64_t dim;
  const float* x;        // [rows, dim]
  const float* mean;     // [dim]
  const float* inverse;  // [dim], 1 / sqrt(variance + epsilon)
  const float* scale;    // [dim]
  const float* shift;    // [dim]
  float* out;            // [rows, dim]
};
void batch_norm(const BatchNorm& op);

// With the statistics held fixed: dx, d_scale = column sums of dy (x - mean) inverse, d_shift = column sums of dy.
struct BatchNormGrad {
  int64_t rows;
  int64_t dim;
  const float* x;
  const float* mean;
  const float* inverse;
  const float* scale;
  const float* dy;  // [rows, dim]
  float* dx;        // [rows, dim]
  float* d_scale;   // [dim]
  float* d_shift;   // [dim]
};
void batch_norm_grad(const BatchNormGrad& op);

// Column sums of x - center, then of its square: sums [2, dim]. Chunks are summed in double in a fixed order.
void column_moments(int64_t rows, int64_t dim, const float* x, const float* center, float* sums);

// dx[row] += linear + quadratic (x[row] - mean), column by column: the gradient of statistics that x went into.
struct AddMomentGradient {
  int64_t rows;
  int64_t dim;
  const float* x;          // [rows, dim]
  const float* mean;       // [dim]
  const float* linear;     // [dim]
  const float* quadratic;  // [dim]
  float* dx;               // [rows, dim]
};
void add_moment_gradient(const AddMomentGradient& op);

}  // namespace gnn
