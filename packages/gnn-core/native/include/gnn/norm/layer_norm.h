#pragma once
#include <cstdint>

namespace gnn {

// out = (x - mean) / sqrt(variance + epsilon) * scale + shift, mean and variance of each row. Ba et al. 2016
// (arXiv:1607.06450), equation 4.
struct LayerNorm {
  int64_t rows;
  int64_t dim;
  const float* x;      // [rows, dim]
  const float* scale;  // [dim]
  const float* shift;  // [dim]
  float epsilon;
  float* moments;      // [rows, 2]: receives mean and 1 / sqrt(variance + epsilon)
  float* out;          // [rows, dim]
};
void layer_norm(const LayerNorm& op);

struct LayerNormGrad {
  int64_t rows;
  int64_t dim;
  const float* x;
  const float* moments;  // as layer_norm left them
  const float* scale;
  const float* dy;       // [rows, dim]
  float* dx;             // [rows, dim]
  float* d_scale;        // [dim]
  float* d_shift;        // [dim]
};
void layer_norm_grad(const LayerNormGrad& op);

// out = x / max(|x|, 1e-12), row by row; norms [rows] receives max(|x|, 1e-12).
void l2_normalize(int64_t rows, int64_t dim, const float* x, float* norms, float* out);

struct L2NormalizeGrad {
  int64_t rows;
  int64_t dim;
  const float* out;    // [rows, dim], as l2_normalize left it
  const float* norms;  // [rows], as l2_normalize left them
  const float* dy;     // [rows, dim]
  float* dx;           // [rows, dim]
};
void l2_normalize_grad(const L2NormalizeGrad& op);

}  // namespace gnn
