#include "arrays.h"
#include "check.h"
#include "gnn/cuda/sparse/gather_rows.h"
#include "gnn/sparse/gather_rows.h"

namespace check {
namespace {

constexpr int64_t kDims[] = {1, 3, 16, 47, 100, 256};

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

namespace {

// A list of rows in which the first is named far more often than the others, added by the CPU and by both ways here
void compare_sums(int64_t num_rows, int64_t num_out, int64_t dim) {
  Stream stream;
  const std::vector<float> dy = random_floats(num_rows * dim, 1);
  std::vector<int32_t> rows = random_ints(num_rows, static_cast<int32_t>(num_out), 2);
  for (int64_t i = 0; i < num_rows; i += 2) rows[static_cast<size_t>(i)] = 0;
  const OnDevice<float> g(stream, dy), out(stream, num_out * dim);
  const OnDevice<int32_t> to(stream, rows);
  std::vector<float> expected(static_cast<size_t>(num_out * dim));
  gnn::scatter_add_rows({num_rows, dim, dy.data(), rows.data(), num_out, expected.data()});
  const std::string name = std::to_string(num_rows) + " into " + std::to_string(num_out) + " of " + std::to_string(dim);
  gnn::cuda::scatter_add_rows(stream, {num_rows, dim, g, to, num_out, out});
  const std::vector<float> found = out.read();
  // Parts are added up elsewhere than one by one.
  if (num_out > 64 || num_rows <= 256) expect_bits(found, expected, name);
  else expect_close(found, expected, 1e-5, name);
  gnn::cuda::scatter_add_rows(stream, {num_rows, dim, g, to, num_out, out});
  expect_bits(out.read(), found, "again, " + name);
  gnn::cuda::scatter_add_rows_atomic(stream, {num_rows, dim, g, to, num_out, out});
  expect_close(out.read(), expected, 1e-5, "by atomics, " + name);
}

}  // namespace

DEVICE_TEST("scatter_add_rows has the CPU's bits, into few rows but for the order of parts, and always its own") {
  for (const int64_t dim : kDims) {
    for (const int64_t num_out : {1, 40, 64, 65, 90}) {
      for (const int64_t num_rows : {0, 1, 200}) compare_sums(num_rows, num_out, dim);
    }
  }
  // Long lists: more parts than one, and a row with more than a warp puts in order.
  for (const int64_t num_out : {5, 80}) compare_sums(2500, num_out, 3);
}

}  // namespace check
