#include "arrays.h"
#include "check.h"
#include "gnn/cuda/optim/sparse_update.h"

namespace check {
namespace {

using Floats = std::vector<float>;

constexpr int64_t kRows = 50, kDim = 40;

Floats positive_floats(int64_t count, unsigned seed) {
  Floats values = random_floats(count, seed);
  for (float& value : values) value += 1.5f;
  return values;
}

const std::vector<int32_t> kIds{7, 0, 49, 12, 31, 30, 29, 3, 4, 5};

}  // namespace

DEVICE_TEST("sparse_adagrad_update is the CPU's, and leaves other rows as they are") {
  Stream stream;
  Floats p = random_floats(kRows * kDim, 1), s = positive_floats(kRows * kDim, 2);
  const Floats g = random_floats(10 * kDim, 3);
  const OnDevice<float> parameter(stream, p), squares(stream, s), gradient(stream, g);
  const OnDevice<int32_t> ids(stream, kIds);
  gnn::sparse_adagrad_update({kIds.data(), 10, kDim, g.data()}, p.data(), s.data(), {0.1f, 1e-8f, 0.01f});
  gnn::cuda::sparse_adagrad_update(stream, {ids, 10, kDim, gradient}, parameter, squares, {0.1f, 1e-8f, 0.01f});
  expect_close(parameter.read(), p, 1e-6, "parameter");
  expect_close(squares.read(), s, 1e-6, "squares");
}

DEVICE_TEST("sparse_adam_update is the CPU's, each row by its own count of updates") {
  for (const bool decoupled : {false, true}) {
    Stream stream;
    Floats p = random_floats(kRows * kDim, 1), m = random_floats(kRows * kDim, 2), v = positive_floats(kRows * kDim, 3);
    const Floats g = random_floats(10 * kDim, 4);
    std::vector<int32_t> steps = random_ints(kRows, 6, 5);
    const OnDevice<float> parameter(stream, p), momentum(stream, m), variance(stream, v), gradient(stream, g);
    const OnDevice<int32_t> ids(stream, kIds), counts(stream, steps);
    const gnn::AdamOptions options{0.1f, 0.9f, 0.999f, 1e-8f, 0.01f, decoupled};
    gnn::sparse_adam_update({{kIds.data(), 10, kDim, g.data()}, p.data(), m.data(), v.data(), steps.data(), options});
    gnn::cuda::sparse_adam_update(stream, {{ids, 10, kDim, gradient}, parameter, momentum, variance, counts, options});
    expect_close(parameter.read(), p, 1e-6, "parameter");
    expect_close(momentum.read(), m, 1e-6, "momentum");
    expect_close(variance.read(), v, 1e-6, "variance");
    expect_equal(counts.read(), steps, "steps");
  }
}

DEVICE_TEST("rows are updated by their step: divided by its weight, bit by bit as halved ones, or not at all") {
  Stream stream;
  const Floats p = random_floats(kRows * kDim, 1), s = positive_floats(kRows * kDim, 2);
  const Floats g = random_floats(10 * kDim, 3);
  Floats halves = g;
  for (float& value : halves) value *= 0.5f;
  const OnDevice<int32_t> ids(stream, kIds);
  const OnDevice<float> sums(stream, Floats{3, 2, 0, 0});
  const std::vector<int32_t> none(kRows, 0);
  const auto updated = [&](const Floats& gradient, const gnn::cuda::RowStep& step) {
    const OnDevice<float> rows(stream, gradient), a(stream, p), squares(stream, s);
    const OnDevice<float> b(stream, p), momentum(stream, s), variance(stream, s);
    const OnDevice<int32_t> counts(stream, none);
    const gnn::SparseGradient given{ids, 10, kDim, rows};
    gnn::cuda::sparse_adagrad_update(stream, given, a, squares, {0.1f, 1e-8f, 0}, step);
    gnn::cuda::sparse_adam_update(
        stream, {given, b, momentum, variance, counts, {0.1f, 0.9f, 0.999f, 1e-8f, 0, false}}, step);
    std::vector<Floats> all{a.read(), squares.read(), b.read(), momentum.read(), variance.read()};
    const std::vector<int32_t> steps = counts.read();
    all.emplace_back(steps.begin(), steps.end());
    return all;
  };
  const auto expect_same = [](const std::vector<Floats>& found, const std::vector<Floats>& expected) {
    for (size_t i = 0; i < found.size(); ++i) expect_bits(found[i], expected[i], "array " + std::to_string(i));
  };
  const OnDevice<gnn::cuda::GradientScale> finite(stream, {{0.125f, 1, 1}}), infinite(stream, {{0.125f, 1, 0}});
  expect_same(updated(g, {sums, finite}), updated(halves, {}));
  expect_same(updated(g, {sums, infinite}), {p, s, p, s, s, Floats(kRows, 0)});
}

}  // namespace check
