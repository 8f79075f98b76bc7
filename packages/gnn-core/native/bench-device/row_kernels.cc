// The kernels that take rows one by one, at the sizes of a mini-batch of a graph like ogbn-products.
#include "groups.h"

#include "gnn/cuda/dense/sgemm.h"
#include "gnn/cuda/features/gather_dense.h"
#include "gnn/cuda/loss/cross_entropy.h"
#include "gnn/cuda/nn/dropout.h"
#include "gnn/cuda/norm/layer_norm.h"
#include "gnn/cuda/optim/update.h"
#include "gnn/cuda/sparse/gather_rows.h"

namespace bench {
namespace {

double bytes_of(int64_t floats) { return 4.0 * static_cast<double>(floats); }

void report_gathers(Stream& stream, int64_t rows, int64_t dim, const float* x, float* out) {
  const int64_t nodes = sized(2'400'000, 100), width = 100, count = sized(185'000, 50);
  const Array<float> features = random_floats(stream, nodes * width);
  const Array<int32_t> ids = random_ids(stream, count, nodes), row_ids = random_ids(stream, rows / 2, rows);
  const gnn::cuda::FeatureView view{nodes, width, gnn::FeatureDtype::float32, features.data(), {nullptr, nullptr}};
  report(stream, {"gatherDense", Bound::kRandomRows, bytes_of(2 * count * width),
                  [&] { gnn::cuda::gather_dense(stream, view, count, ids.data(), out); }});
  report(stream, {"gatherRows", Bound::kRandomRows, bytes_of(rows * dim),
                  [&] { gnn::cuda::gather_rows(stream, rows / 2, dim, x, row_ids.data(), out); }});
}

void report_adam(Stream& stream) {
  const int64_t count = sized(int64_t{1} << 24, 1 << 10);
  const Array<float> parameter = random_floats(stream, count), gradient = random_floats(stream, count);
  const Array<float> momentum = random_floats(stream, count), variance(stream, count);
  gnn::device::zero(variance.data(), count, stream);
  const Array<gnn::cuda::GradientScale> scale(stream, 1);
  const gnn::cuda::Bucket bucket{count, parameter.data(), gradient.data(), scale.data()};
  report(stream, {"scaleGradient", Bound::kCopy, bytes_of(count),
                  [&] { gnn::cuda::scale_gradient(stream, count, gradient.data(), 1.0f, 1.0f, scale.data()); }});
  report(stream, {"adam", Bound::kCopy, bytes_of(7 * count), [&] {
                    gnn::cuda::adam_update(stream, bucket, momentum.data(), variance.data(),
                                           {1e-3f, 0.9f, 0.999f, 1e-8f, 0.0f}, 5);
                  }});
}

void report_layers(Stream& stream, int64_t rows, int64_t dim, const float* x, float* out) {
  const Array<float> weight = random_floats(stream, dim * dim), vector = random_floats(stream, dim),
                     moments(stream, 2 * rows);
  const Array<int32_t> ids = random_ids(stream, rows, rows), labels = random_ids(stream, rows, dim);
  report(stream, {"dropoutRows", Bound::kCopy, bytes_of(2 * rows * dim), [&] {
                    gnn::cuda::dropout_rows(stream, {.rows = rows, .dim = dim, .x = x, .row_ids = ids.data(),
                                                     .key = {1, 2, 3, 4}, .threshold = 30000, .out = out});
                  }});
  report(stream, {"layerNorm", Bound::kCopy, bytes_of(2 * rows * dim), [&] {
                    gnn::cuda::layer_norm(stream, {.rows = rows, .dim = dim, .x = x, .scale = vector.data(),
                                                   .shift = vector.data(), .epsilon = 1e-5f, .moments = moments.data(),
                                                   .out = out});
                  }});
  report(stream, {"crossEntropyGrad", Bound::kCopy, bytes_of(2 * rows * dim), [&] {
                    gnn::cuda::cross_entropy_grad(stream, {rows, dim, x, labels.data()}, 1.0f, out);
                  }});
  report(stream, {"linearRelu", Bound::kProducts, 2.0 * static_cast<double>(rows * dim * dim), [&] {
                    gnn::cuda::sgemm(stream, {.m = rows, .n = dim, .k = dim, .a = x, .b = weight.data(), .c = out},
                                     {vector.data(), true});
                  }});
}

}  // namespace

void report_row_kernels(Stream& stream) {
  const int64_t rows = sized(200'000, 40), dim = sized(256, 8);
  const Array<float> x = random_floats(stream, rows * dim), out(stream, sized(rows * dim, 5'000));
  report_gathers(stream, rows, dim, x.data(), out.data());
  report_layers(stream, rows, dim, x.data(), out.data());
  report_adam(stream);
}

}  // namespace bench
