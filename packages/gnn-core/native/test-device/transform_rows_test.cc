#include <algorithm>

#include "arrays.h"
#include "check.h"
#include "gnn/cuda/features/transform_rows.h"

namespace check {
namespace {

using Floats = std::vector<float>;

constexpr int64_t kRows = 5;
constexpr int64_t kDims[] = {1, 7, 100};

// A row of zeros among the others.
Floats rows_of(int64_t dim) {
  Floats values = random_floats(kRows * dim, 1);
  std::fill_n(values.begin() + 2 * dim, dim, 0.0f);
  return values;
}

Floats scales_of(int64_t dim) {
  Floats scale = random_floats(dim, 3);
  for (float& s : scale) s += 1.5f;
  return scale;
}

}  // namespace

DEVICE_TEST("row_normalize and standardize have the CPU's bits for dense rows") {
  for (const int64_t dim : kDims) {
    Stream stream;
    Floats values = rows_of(dim);
    const Floats mean = random_floats(dim, 2), scale = scales_of(dim);
    const OnDevice<float> there(stream, values), of_mean(stream, mean), of_scale(stream, scale);
    gnn::row_normalize({kRows, dim, nullptr, nullptr, values.data()});
    gnn::cuda::row_normalize(stream, {kRows, dim, nullptr, nullptr, there});
    expect_bits(there.read(), values, "normalized, dim " + std::to_string(dim));
    gnn::standardize({kRows, dim, nullptr, nullptr, values.data()}, mean.data(), scale.data());
    gnn::cuda::standardize(stream, {kRows, dim, nullptr, nullptr, there}, of_mean, of_scale);
    expect_bits(there.read(), values, "standardized, dim " + std::to_string(dim));
  }
}

DEVICE_TEST("row_normalize and standardize have the CPU's bits for CSR rows, empty ones included") {
  Stream stream;
  const std::vector<int32_t> indptr{0, 3, 3, 53, 60, 61}, indices = random_ints(61, 20, 4);
  Floats values = random_floats(61, 5);
  const Floats mean = random_floats(20, 2), scale = scales_of(20);
  const OnDevice<int32_t> of_rows(stream, indptr), columns(stream, indices);
  const OnDevice<float> there(stream, values), of_mean(stream, mean), of_scale(stream, scale);
  const gnn::RowsView host{kRows, 20, indptr.data(), indices.data(), values.data()},
      device{kRows, 20, of_rows, columns, there};
  gnn::row_normalize(host);
  gnn::cuda::row_normalize(stream, device);
  expect_bits(there.read(), values, "normalized");
  gnn::standardize(host, mean.data(), scale.data());
  gnn::cuda::standardize(stream, device, of_mean, of_scale);
  expect_bits(there.read(), values, "standardized: no mean is taken from what is not stored");
}

}  // namespace check
