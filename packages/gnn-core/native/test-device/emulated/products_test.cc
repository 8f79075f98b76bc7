// Products by cuBLASLt, on a double of the library (doubles/cublaslt.cc).
#include <cmath>
#include <cstdlib>

#include "../arrays.h"
#include "../check.h"
#include "../doubles.h"
#include "gnn/cuda/dense/sgemm.h"
#include "gnn/dense/linear.h"
#include "gnn/device/counters.h"
#include "gnn/device/emulator.h"
#include "gnn/device/products.h"
#include "gnn/device/shared_library.h"

namespace check {
namespace {

using Floats = std::vector<float>;
using gnn::device::Precision;
using gnn::device::Products;

void enqueue(void* stream, void (*work)(void*), void* state) {
  gnn::device::emulation::enqueue(static_cast<gnn::device::driver::StreamState*>(stream), [=] { work(state); });
}

// The library in the given state, for sgemm() until the end of the test.
class Library {
 public:
  explicit Library(const char* state = "") : double_({path_of_double("cublaslt")}) {
    setenv("HOPWISE_TEST_CUBLASLT", state, 1);
    *double_.find<decltype(&enqueue)>("hopwise_double_enqueue") = &enqueue;
    products = std::make_unique<Products>(std::vector<std::string>{path_of_double("cublaslt")});
    gnn::device::set_products(products.get());
  }
  ~Library() {
    gnn::device::set_products(nullptr);
    unsetenv("HOPWISE_TEST_CUBLASLT");
  }
  int live() const { return double_.find<int()>("hopwise_double_live")(); }

  std::unique_ptr<Products> products;

 private:
  gnn::device::SharedLibrary double_;
};

// op on the device; `offset` floats from where memory is aligned best. a and b [count of each].
Floats product_of(Stream& stream, gnn::Sgemm op, const Floats& a, const Floats& b, const Floats& c,
                  int64_t offset = 0) {
  const auto moved = [&](Floats values) {
    values.insert(values.begin(), static_cast<size_t>(offset), 0.0f);
    return values;
  };
  const OnDevice<float> of_a(stream, moved(a)), of_b(stream, moved(b)), out(stream, moved(c));
  op.a = of_a + offset, op.b = of_b + offset, op.c = out + offset;
  gnn::cuda::sgemm(stream, op);
  Floats found = out.read();
  found.erase(found.begin(), found.begin() + offset);
  return found;
}

double distance(const Floats& a, const Floats& b) {
  double largest = 0;
  for (size_t i = 0; i < a.size(); ++i) largest = std::max(largest, static_cast<double>(std::abs(a[i] - b[i])));
  return largest;
}

}  // namespace

DEVICE_TEST("cuBLASLt multiplies rows however A and B lie, with beta, a bias and ReLU, and wherever memory begins") {
  const Library library;
  expect(library.products->why_not().empty(), library.products->why_not());
  expect(library.products->name() == "cuBLASLt 13.1.1", library.products->name());
  constexpr int64_t kM = 7, kN = 5, kK = 9;
  const Floats a = random_floats(kM * kK, 1), b = random_floats(kK * kN, 2), c = random_floats(kM * kN, 3);
  for (const int kind : {0, 1, 2, 3}) {
    for (const float beta : {0.0f, 1.0f}) {
      Stream stream;
      Floats expected = c;
      gnn::Sgemm op{.trans_a = kind % 2 == 1,
                    .trans_b = kind > 1,
                    .m = kM,
                    .n = kN,
                    .k = kK,
                    .a = a.data(),
                    .b = b.data(),
                    .beta = beta,
                    .c = expected.data()};
      gnn::sgemm(op);
      for (const int64_t offset : {0, 1, 4})
        expect_close(product_of(stream, op, a, b, c, offset), expected, 1e-6, "kind " + std::to_string(kind));
    }
  }
  Stream stream;
  const Floats bias = random_floats(kN, 4);
  Floats expected(kM * kN);
  gnn::linear({.rows = kM,
               .out_dim = kN,
               .x = gnn::RowSource(a.data(), kK),
               .weight = b.data(),
               .bias = bias.data(),
               .with_relu = true,
               .out = expected.data()});
  Floats moved = bias;
  moved.insert(moved.begin(), 0.0f);
  const OnDevice<float> of_a(stream, a), of_b(stream, b), aligned(stream, bias), behind(stream, moved),
      out(stream, kM * kN);
  for (const float* added : {aligned.get(), behind.get() + 1}) {
    const int64_t before = gnn::device::counters().launches;
    gnn::cuda::sgemm(stream, {.m = kM, .n = kN, .k = kK, .a = of_a, .b = of_b, .c = out}, {added, true});
    expect(gnn::device::counters().launches - before == 1, "bias and ReLU are part of the product");
    expect_close(out.read(), expected, 1e-6, "with an epilogue");
  }
}

DEVICE_TEST("a stream's precision is that of its products: float32, TF32 and bfloat16 differ as they should") {
  const Library library;
  constexpr int64_t kSide = 16;
  const Floats a = random_floats(kSide * kSide, 1), b = random_floats(kSide * kSide, 2), zeros(kSide * kSide);
  Floats exact(zeros);
  const gnn::Sgemm op{.m = kSide, .n = kSide, .k = kSide, .a = a.data(), .b = b.data(), .c = exact.data()};
  gnn::sgemm(op);
  const auto error_of = [&](Precision precision) {
    Stream stream;
    stream.set_precision(precision);
    return distance(product_of(stream, op, a, b, zeros), exact);
  };
  expect(error_of(Precision::kFp32) < 1e-5, "float32");
  expect(error_of(Precision::kTf32) > 1e-5 && error_of(Precision::kTf32) < 4e-3, "TF32");
  expect(error_of(Precision::kBf16) > 4e-3 && error_of(Precision::kBf16) < 1e-1, "bfloat16");
}

DEVICE_TEST("a product that cuBLASLt knows no way for, and pairs of products, are right all the same") {
  constexpr int64_t kSide = 20;
  const Floats a = random_floats(kSide * kSide, 1), b = random_floats(kSide * kSide, 2), zeros(kSide * kSide);
  Floats expected(zeros);
  const gnn::Sgemm op{.m = kSide, .n = kSide, .k = kSide, .a = a.data(), .b = b.data(), .c = expected.data()};
  gnn::sgemm(op);
  for (const char* state : {"refuses", ""}) {
    const Library library(state);
    Stream stream;
    expect_close(product_of(stream, op, a, b, zeros), expected, 1e-5, state);
    const OnDevice<float> of_a(stream, a), of_b(stream, b), c(stream, kSide * kSide), d(stream, kSide * kSide);
    const gnn::Sgemm on_device{.m = kSide, .n = kSide, .k = kSide, .a = of_a, .b = of_b, .c = c};
    gnn::cuda::sgemm_pair(stream, on_device, {of_a, of_b, d});
    expect_close(d.read(), expected, 1e-5, "the second of a pair");
  }
}

DEVICE_TEST("a cuBLASLt that is not there, or does not start, says why, and leaves nothing behind when it goes") {
  expect(Products({"/nowhere/libcublasLt.so.13"}).why_not().find("/nowhere/libcublasLt.so.13") != std::string::npos,
         "no file");
  expect(Products({path_of_double("nvml")}).why_not() == "the library has no cublasLtCreate", "another library");
  {
    const Library library("absent");
    expect(library.products->why_not() == "cublasLtCreate failed with status 1", library.products->why_not());
    Stream stream;
    const Floats one{1.0f};
    expect(product_of(stream, {.m = 1, .n = 1, .k = 1, .a = nullptr, .b = nullptr, .c = nullptr}, one, one, one) == one,
           "our own kernel");
  }
  Library library;
  {
    Stream stream;
    const Floats values = random_floats(6, 1);
    product_of(stream, {.m = 2, .n = 2, .k = 3, .a = nullptr, .b = nullptr, .c = nullptr}, values, values, Floats(4));
  }
  expect(library.live() == 5, "a handle, a descriptor and three layouts: " + std::to_string(library.live()));
  library.products.reset();
  expect(library.live() == 0, "nothing is left");
}

}  // namespace check
