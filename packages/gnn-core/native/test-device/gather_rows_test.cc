#include "arrays.h"
#include "check.h"
#include "gnn/cuda/sparse/gather_rows.h"
#include "gnn/sparse/gather_rows.h"

namespace check {
namespace {

constexpr int64_t kDims[] = {1, 3, 47, 100};

}  // namespace

DEVICE_TEST("gather_rows copies the rows that the CPU's does") {
  for (const int64_t dim : kDims) {
    Stream stream;
    const std::vector<float> x = random_floats(40 * dim, 1);
    const std::vector<int32_t> rows = random_ints(70, 40, 2);
    const OnDevice<float> out(stream, 70 * dim);
    gnn::cuda::gather_rows(stream, 70, dim, OnDevice<float>(stream, x), OnDevice<int32_t>(stream, rows), out);
    std::vector<float> expected(static_cast<size_t>(70 * dim));
    gnn::gather_rows(70, dim, x.data(), rows.data(), expected.data());
    expect_bits(out.read(), expected, "dim " + std::to_string(dim));
  }
}

DEVICE_TEST("put_rows writes the rows that the CPU's does and leaves the others") {
  for (const int64_t dim : kDims) {
    Stream stream;
    const std::vector<float> x = random_floats(20 * dim, 1), before = random_floats(60 * dim, 2);
    std::vector<int32_t> rows;
    for (int32_t i = 0; i < 20; ++i) rows.push_back(59 - 3 * i);
    const OnDevice<float> out(stream, before);
    gnn::cuda::put_rows(stream, 20, dim, OnDevice<float>(stream, x), OnDevice<int32_t>(stream, rows), out);
    std::vector<float> expected = before;
    gnn::put_rows(20, dim, x.data(), rows.data(), expected.data());
    expect_bits(out.read(), expected, "dim " + std::to_string(dim));
  }
}

DEVICE_TEST("scatter_add_rows adds up what the CPU's does") {
  for (const int64_t dim : kDims) {
    Stream stream;
    const std::vector<float> dy = random_floats(200 * dim, 1);
    const std::vector<int32_t> rows = random_ints(200, 30, 2);
    const OnDevice<float> g(stream, dy), out(stream, 40 * dim);
    const OnDevice<int32_t> to(stream, rows);
    gnn::cuda::scatter_add_rows(stream, {200, dim, g, to, 40, out});
    std::vector<float> expected(static_cast<size_t>(40 * dim));
    gnn::scatter_add_rows({200, dim, dy.data(), rows.data(), 40, expected.data()});
    expect_close(out.read(), expected, 1e-6, "dim " + std::to_string(dim));
  }
}

}  // namespace check
