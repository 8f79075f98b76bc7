// What the device can do at best: copying, reading rows at random, moving data from and to the host, multiplying.
#include "groups.h"

#include <cstdio>
#include <utility>

#include "gnn/cuda/dense/sgemm.h"
#include "gnn/device/products.h"
#include "gnn/device/staging.h"
#include "read_rows.h"

namespace bench {
namespace {

void report_copies(Stream& stream) {
  const int64_t floats = sized(int64_t{1} << 27, 1 << 12);
  const double bytes = 4.0 * static_cast<double>(floats);
  const Array<float> from = random_floats(stream, floats), to(stream, floats);
  report(stream, {"copy", Bound::kCopy, 2 * bytes,
                  [&] { gnn::device::copy(to.data(), from.data(), floats, stream); }});
  const int64_t part = sized(int64_t{1} << 24, 1 << 10);
  const gnn::device::PinnedMemory pinned(static_cast<size_t>(part) * 4);
  auto* const host = reinterpret_cast<float*>(pinned.data());
  report(stream, {"upload", Bound::kCopy, 4.0 * static_cast<double>(part),
                  [&] { gnn::device::upload(to.data(), host, part, stream); }});
  report(stream, {"download", Bound::kCopy, 4.0 * static_cast<double>(part),
                  [&] { gnn::device::download(host, from.data(), part, stream); }});
}

void report_random_rows(Stream& stream) {
  const int64_t rows = sized(2'000'000, 200), count = sized(1'000'000, 100);
  const Array<float> x = random_floats(stream, rows * kReadRowFloats), never(stream, 1);
  const Array<int32_t> ids = random_ids(stream, count, rows);
  report(stream, {"randomRows", Bound::kRandomRows, static_cast<double>(count) * 4 * kReadRowFloats,
                  [&] { read_rows(stream, count, x.data(), ids.data(), never.data()); }});
}

void report_products(Stream& stream) {
  const int64_t side = sized(4096, 64);
  const Array<float> a = random_floats(stream, side * side), b = random_floats(stream, side * side),
                     c(stream, side * side);
  const double operations = 2.0 * static_cast<double>(side * side * side);
  const auto report_product = [&](const char* name) {
    report(stream, {name, Bound::kProducts, operations, [&] {
                      gnn::cuda::sgemm(stream,
                                       {.m = side, .n = side, .k = side, .a = a.data(), .b = b.data(), .c = c.data()});
                    }});
  };
  report_product("sgemm");
  if (is_small()) return;
  static gnn::device::Products library;
  std::printf("{\"products\":\"%s\"}\n",
              library.why_not().empty() ? library.name().c_str() : library.why_not().c_str());
  if (!library.why_not().empty()) return;
  gnn::device::set_products(&library);
  using gnn::device::Precision;
  for (const auto& [name, precision] :
       {std::pair{"fp32", Precision::kFp32}, {"tf32", Precision::kTf32}, {"bf16", Precision::kBf16}}) {
    stream.set_precision(precision);
    report_product(name);
  }
  stream.set_precision(Precision::kFp32);
}

}  // namespace

void report_ceilings(Stream& stream) {
  report_copies(stream);
  report_random_rows(stream);
  report_products(stream);
}

}  // namespace bench
