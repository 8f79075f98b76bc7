#include <cstring>
#include <memory>

#include "arrays.h"
#include "check.h"
#include "gnn/cuda/features/gather_dense.h"
#include "gnn/device/readable_memory.h"
#include "gnn/features/feature_view.h"

namespace check {
namespace {

using gnn::FeatureDtype;
using gnn::cuda::RowsAt;
using gnn::device::ReadableMemory;
namespace driver = gnn::device::driver;

constexpr int64_t kRows = 40, kDim = 147, kCount = 70;
constexpr gnn::DropoutKey kKey{1, 2, 3, 4};
constexpr uint32_t kThreshold = 20000;

// The matrix with the host, in three pieces, and some of its rows on the device as well.
template <typename Code>
class Placed {
 public:
  Placed(Stream& stream, FeatureDtype dtype, const std::vector<Code>& codes, gnn::ColumnScale columns,
         const std::vector<int32_t>& cached)
      : rows_(stream, piece_by_piece(codes)),
        slots_(stream, slots_of(cached)),
        values_(stream, std::max<int64_t>(1, static_cast<int64_t>(cached.size())) * kDim) {
    view = {kRows, kDim, dtype, nullptr, columns, nullptr, rows_, 3};
    const OnDevice<int32_t> ids(stream, cached);
    gnn::cuda::copy_stored_rows(stream, view, static_cast<int64_t>(cached.size()), ids, values_.get());
    if (cached.empty()) return;
    view.values = values_;
    view.slots = slots_;
  }
  gnn::cuda::FeatureView view{};

 private:
  // Each piece in memory of its own: what is pinned twice is copied.
  std::vector<RowsAt> piece_by_piece(const std::vector<Code>& codes) {
    std::vector<RowsAt> rows;
    for (const auto& [first, end] : {std::pair{0, 1}, {1, 23}, {23, static_cast<int>(kRows)}}) {
      const auto& piece = pieces_.emplace_back(codes.begin() + first * kDim, codes.begin() + end * kDim);
      pinned_.push_back(std::make_unique<ReadableMemory>(piece.data(), piece.size() * sizeof(Code)));
      rows.push_back({first, pinned_.back()->address()});
    }
    return rows;
  }
  static std::vector<int32_t> slots_of(const std::vector<int32_t>& cached) {
    std::vector<int32_t> slots(kRows, -1);
    for (size_t i = 0; i < cached.size(); ++i) slots[static_cast<size_t>(cached[i])] = static_cast<int32_t>(i);
    return slots;
  }

  std::vector<std::vector<Code>> pieces_;
  std::vector<std::unique_ptr<ReadableMemory>> pinned_;
  OnDevice<RowsAt> rows_;
  OnDevice<int32_t> slots_;
  OnDevice<Code> values_;
};

// The matrix in three shares, each an allocation of its own.
template <typename Code>
class Shared {
 public:
  Shared(Stream& stream, FeatureDtype dtype, const std::vector<Code>& codes, gnn::ColumnScale columns)
      : codes_(codes), rows_(stream, share_by_share(stream)) {
    view = {kRows, kDim, dtype, nullptr, columns, nullptr, rows_, 3, true};
  }
  ~Shared() {
    for (void* const share : shares_) driver::release_shared(share);
  }
  gnn::cuda::FeatureView view{};

 private:
  std::vector<RowsAt> share_by_share(Stream& stream) {
    std::vector<RowsAt> rows;
    for (const auto& [first, end] : {std::pair{0, 13}, {13, 26}, {26, static_cast<int>(kRows)}}) {
      const size_t bytes = static_cast<size_t>(end - first) * kDim * sizeof(Code);
      shares_.push_back(driver::allocate_shared(bytes));
      driver::upload(shares_.back(), codes_.data() + first * kDim, bytes, stream.state());
      rows.push_back({first, shares_.back()});
    }
    return rows;
  }

  const std::vector<Code>& codes_;
  std::vector<void*> shares_;
  OnDevice<RowsAt> rows_;
};

template <typename Code>
void expect_same_rows(FeatureDtype dtype, const std::vector<Code>& codes) {
  Stream stream;
  const std::vector<int32_t> ids = random_ints(kCount, kRows, 2);
  std::vector<float> scale = random_floats(kDim, 3), offset = random_floats(kDim, 4);
  const gnn::FeatureView view{kRows, kDim, dtype, {scale.data(), offset.data()}, {{0, codes.data()}}, {}};
  const auto gathered = gnn::gather_dense(view, ids);
  const std::vector<float> expected(gathered.begin(), gathered.end());
  std::vector<float> dropped = expected;
  gnn::dropout_rows({kCount, kDim, expected.data(), ids.data(), kKey, kThreshold, dropped.data()});
  const OnDevice<Code> values(stream, codes);
  const OnDevice<int32_t> rows(stream, ids);
  const OnDevice<float> scales(stream, scale), offsets(stream, offset);
  const auto expect_rows = [&](const gnn::cuda::FeatureView& features, const std::string& where) {
    const OnDevice<float> out(stream, kCount * kDim);
    gnn::cuda::gather_dense(stream, features, kCount, rows, out);
    expect_bits(out.read(), expected, where);
    gnn::cuda::gather_dense(stream, features, kCount, rows, out, {kKey, kThreshold});
    expect_bits(out.read(), dropped, where + ", some dropped on the way");
  };
  const gnn::ColumnScale columns{scales, offsets};
  expect_rows({kRows, kDim, dtype, values, columns}, "on the device");
  expect_rows(Placed<Code>(stream, dtype, codes, columns, {}).view, "with the host");
  expect_rows(Placed<Code>(stream, dtype, codes, columns, {39, 0, 22, 7, 23}).view, "some on the device");
  expect_rows(Shared<Code>(stream, dtype, codes, columns).view, "in shares");
}

}  // namespace

DEVICE_TEST("gather_dense has the CPU's bits for float32, wherever the rows lie") {
  expect_same_rows(FeatureDtype::float32, random_floats(kRows * kDim, 1));
}

DEVICE_TEST("gather_dense has the CPU's bits for float16, infinite and subnormal values included, wherever they lie") {
  std::vector<uint16_t> codes;
  for (const int32_t code : random_ints(kRows * kDim, 65536, 1)) {
    // Signalling NaNs become quiet ones on some processors.
    codes.push_back(static_cast<uint16_t>((code & 0x7c00) == 0x7c00 ? code & 0xfc00 : code));
  }
  codes[5] = 0x8000, codes[6] = 0x0001, codes[7] = 0x7c00, codes[8] = 0xfc00;
  expect_same_rows(FeatureDtype::float16, codes);
}

DEVICE_TEST("gather_dense has the CPU's bits for int8 with a scale and an offset per column, wherever they lie") {
  std::vector<int8_t> codes;
  for (const int32_t code : random_ints(kRows * kDim, 256, 1)) codes.push_back(static_cast<int8_t>(code - 128));
  expect_same_rows(FeatureDtype::int8, codes);
}

DEVICE_TEST("an array of the host is pinned where it lies, and copied where that was done before") {
  const std::vector<float> values = random_floats(1000, 1);
  const ReadableMemory first(values.data(), 4000), second(values.data() + 10, 40);
  expect(!first.is_copy(), "pinned in place");
  expect(second.is_copy(), "its driver refuses what is pinned already");
}

}  // namespace check
