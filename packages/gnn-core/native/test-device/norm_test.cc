#include <algorithm>

#include "arrays.h"
#include "check.h"
#include "gnn/cuda/norm/batch_norm.h"
#include "gnn/cuda/norm/layer_norm.h"

namespace check {
namespace {

using Floats = std::vector<float>;

struct Shape {
  int64_t rows, dim;
};
// The last one has more rows than one range of a sum.
constexpr Shape kShapes[] = {{1, 5}, {50, 47}, {3, 256}, {1100, 33}};

}  // namespace

DEVICE_TEST("batch_norm, its gradient and column_moments are the CPU's") {
  for (const auto [rows, dim] : kShapes) {
    Stream stream;
    const Floats x = random_floats(rows * dim, 1), dy = random_floats(rows * dim, 2), mean = random_floats(dim, 3),
                 inverse = random_floats(dim, 4), scale = random_floats(dim, 5), shift = random_floats(dim, 6);
    const OnDevice<float> d_x(stream, x), d_dy(stream, dy), d_mean(stream, mean), d_inverse(stream, inverse),
        d_scale(stream, scale), d_shift(stream, shift), out(stream, rows * dim), dx(stream, rows * dim),
        of_scale(stream, dim), of_shift(stream, dim), sums(stream, 2 * dim);
    Floats e_out(x.size()), e_dx(x.size()), e_scale(scale.size()), e_shift(scale.size()), e_sums(2 * scale.size());
    gnn::batch_norm({rows, dim, x.data(), mean.data(), inverse.data(), scale.data(), shift.data(), e_out.data()});
    gnn::cuda::batch_norm(stream, {rows, dim, d_x, d_mean, d_inverse, d_scale, d_shift, out});
    expect_close(out.read(), e_out, 1e-6, "out");
    gnn::batch_norm_grad({rows, dim, x.data(), mean.data(), inverse.data(), scale.data(), dy.data(), e_dx.data(),
                          e_scale.data(), e_shift.data()});
    gnn::cuda::batch_norm_grad(stream, {rows, dim, d_x, d_mean, d_inverse, d_scale, d_dy, dx, of_scale, of_shift});
    expect_close(dx.read(), e_dx, 1e-6, "dx");
    expect_close(of_scale.read(), e_scale, 1e-5, "d_scale");
    expect_close(of_shift.read(), e_shift, 1e-5, "d_shift");
    gnn::add_moment_gradient({rows, dim, x.data(), mean.data(), scale.data(), shift.data(), e_dx.data()});
    gnn::cuda::add_moment_gradient(stream, {rows, dim, d_x, d_mean, d_scale, d_shift, dx});
    expect_close(dx.read(), e_dx, 1e-6, "dx with the gradient of the moments");
    gnn::column_moments(rows, dim, x.data(), mean.data(), e_sums.data());
    gnn::cuda::column_moments(stream, rows, dim, d_x, d_mean, sums);
    expect_close(sums.read(), e_sums, 1e-6, "moments");
  }
}

DEVICE_TEST("layer_norm and its gradient are the CPU's") {
  for (const auto [rows, dim] : kShapes) {
    Stream stream;
    const Floats x = random_floats(rows * dim, 1), dy = random_floats(rows * dim, 2), scale = random_floats(dim, 5),
                 shift = random_floats(dim, 6);
    const OnDevice<float> d_x(stream, x), d_dy(stream, dy), d_scale(stream, scale), d_shift(stream, shift),
        moments(stream, 2 * rows), out(stream, rows * dim), dx(stream, rows * dim), of_scale(stream, dim),
        of_shift(stream, dim);
    Floats e_moments(2 * static_cast<size_t>(rows)), e_out(x.size()), e_dx(x.size()), e_scale(scale.size()),
        e_shift(scale.size());
    gnn::layer_norm({rows, dim, x.data(), scale.data(), shift.data(), 1e-5f, e_moments.data(), e_out.data()});
    gnn::cuda::layer_norm(stream, {rows, dim, d_x, d_scale, d_shift, 1e-5f, moments, out});
    expect_close(moments.read(), e_moments, 1e-5, "moments");
    expect_close(out.read(), e_out, 1e-5, "out");
    gnn::layer_norm_grad(
        {rows, dim, x.data(), e_moments.data(), scale.data(), dy.data(), e_dx.data(), e_scale.data(), e_shift.data()});
    gnn::cuda::layer_norm_grad(stream, {rows, dim, d_x, moments, d_scale, d_dy, dx, of_scale, of_shift});
    expect_close(dx.read(), e_dx, 1e-5, "dx");
    expect_close(of_scale.read(), e_scale, 1e-5, "d_scale");
    expect_close(of_shift.read(), e_shift, 1e-5, "d_shift");
  }
}

DEVICE_TEST("l2_normalize and its gradient are the CPU's, for a row of zeros, too") {
  for (const auto [rows, dim] : kShapes) {
    Stream stream;
    Floats x = random_floats(rows * dim, 1);
    if (rows > 1) std::fill_n(x.begin(), dim, 0.0f);
    const Floats dy = random_floats(rows * dim, 2);
    Floats norms(static_cast<size_t>(rows)), out(x.size()), dx(x.size());
    gnn::l2_normalize(rows, dim, x.data(), norms.data(), out.data());
    gnn::l2_normalize_grad({rows, dim, out.data(), norms.data(), dy.data(), dx.data()});
    const OnDevice<float> d_x(stream, x), d_dy(stream, dy), d_norms(stream, rows), d_out(stream, rows * dim),
        d_dx(stream, rows * dim);
    gnn::cuda::l2_normalize(stream, rows, dim, d_x, d_norms, d_out);
    gnn::cuda::l2_normalize_grad(stream, {rows, dim, d_out, d_norms, d_dy, d_dx});
    expect_close(d_norms.read(), norms, 1e-6, "norms");
    expect_close(d_out.read(), out, 1e-6, "out");
    expect_close(d_dx.read(), dx, 1e-6, "dx");
  }
}

}  // namespace check
