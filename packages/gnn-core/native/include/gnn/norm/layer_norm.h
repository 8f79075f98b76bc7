#pragma once
#include <cstdint>

namespace gnn {

// out = (x - mean) / sqrt(variance + epsilon) * scale + shift, mean and variance of each row; x, out [rows, dim].
// moments [rows, 2] receives mean and 1 / sqrt(variance + epsilon). Ba et al. 2016 (arXiv:1607.06450), equation 4.
void layer_norm(int64_t rows, int64_t dim, const float* x, const float* scale, const float* shift, float epsilon,
                float* moments, float* out);

void layer_norm_grad(int64_t rows, int64_t dim, const float* x, const float* moments, const float* scale,
                     const float* dy, float* dx, float* d_scale, float* d_shift);

// out = x / max(|x|, 1e-12), row by row; norms [rows] receives max(|x|, 1e-12).
void l2_normalize(int64_t rows, int64_t dim, const float* x, float* norms, float* out);
void l2_normalize_grad(int64_t rows, int64_t dim, const float* out, const float* norms, const float* dy, float* dx);

}  // namespace gnn
