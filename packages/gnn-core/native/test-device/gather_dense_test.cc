#include <cstring>

#include "arrays.h"
#include "check.h"
#include "gnn/cuda/features/gather_dense.h"
#include "gnn/features/feature_view.h"

namespace check {
namespace {

using gnn::FeatureDtype;

constexpr int64_t kRows = 40, kDim = 47;

template <typename Code>
void expect_same_rows(FeatureDtype dtype, const std::vector<Code>& codes) {
  Stream stream;
  const std::vector<int32_t> ids = random_ints(70, kRows, 2);
  std::vector<float> scale = random_floats(kDim, 3), offset = random_floats(kDim, 4);
  const gnn::FeatureView view{kRows, kDim, dtype, {scale.data(), offset.data()}, {{0, codes.data()}}, {}};
  const auto expected = gnn::gather_dense(view, ids);
  const OnDevice<Code> values(stream, codes);
  const OnDevice<int32_t> rows(stream, ids);
  const OnDevice<float> scales(stream, scale), offsets(stream, offset), out(stream, 70 * kDim);
  gnn::cuda::gather_dense(stream, {kRows, kDim, dtype, values, {scales, offsets}}, 70, rows, out);
  expect_bits(out.read(), {expected.begin(), expected.end()}, "rows");
}

}  // namespace

DEVICE_TEST("gather_dense has the CPU's bits for float32") {
  expect_same_rows(FeatureDtype::float32, random_floats(kRows * kDim, 1));
}

DEVICE_TEST("gather_dense has the CPU's bits for float16, infinite and subnormal values included") {
  std::vector<uint16_t> codes;
  for (const int32_t code : random_ints(kRows * kDim, 65536, 1)) {
    // Signalling NaNs become quiet ones on some processors.
    codes.push_back(static_cast<uint16_t>((code & 0x7c00) == 0x7c00 ? code & 0xfc00 : code));
  }
  codes[5] = 0x8000, codes[6] = 0x0001, codes[7] = 0x7c00, codes[8] = 0xfc00;
  expect_same_rows(FeatureDtype::float16, codes);
}

DEVICE_TEST("gather_dense has the CPU's bits for int8 with a scale and an offset per column") {
  std::vector<int8_t> codes;
  for (const int32_t code : random_ints(kRows * kDim, 256, 1)) codes.push_back(static_cast<int8_t>(code - 128));
  expect_same_rows(FeatureDtype::int8, codes);
}

}  // namespace check
