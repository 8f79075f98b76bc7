#include <cmath>
#include <limits>

#include "arrays.h"
#include "check.h"
#include "gnn/cuda/optim/update.h"

namespace check {
namespace {

using Floats = std::vector<float>;
using gnn::cuda::Bucket;
using gnn::cuda::GradientScale;

constexpr int64_t kCount = 5000;

GradientScale scale_of(Stream& stream, const Floats& gradient, float scale, float max_norm) {
  const OnDevice<GradientScale> out(stream, 1);
  gnn::cuda::scale_gradient(stream, static_cast<int64_t>(gradient.size()), OnDevice<float>(stream, gradient), scale,
                            max_norm, out);
  return out.read()[0];
}

// One bucket on the device, whose gradient is halved.
struct DeviceBucket {
  DeviceBucket(Stream& stream, const Floats& p, const Floats& g)
      : parameter(stream, p), gradient(stream, g), scale(stream, {{0.5f, 1.0f, 1}}) {}
  Bucket view() const { return {kCount, parameter, gradient, scale}; }
  OnDevice<float> parameter, gradient;
  OnDevice<GradientScale> scale;
};

Floats halved(Floats values) {
  for (float& value : values) value *= 0.5f;
  return values;
}

}  // namespace

DEVICE_TEST("scale_gradient averages, clips by the norm, and says when a gradient is not finite") {
  Stream stream;
  Floats gradient = random_floats(kCount, 1);
  double squares = 0;
  for (const float g : gradient) squares += static_cast<double>(g) * g;
  const double norm = std::sqrt(squares) / 4;
  GradientScale found = scale_of(stream, gradient, 0.25f, 0);
  expect(found.factor == 0.25f && found.is_finite == 1, "never clipped");
  expect(std::abs(found.norm / norm - 1) < 1e-6, "its norm is told");
  expect(scale_of(stream, gradient, 0.25f, 1000).factor == 0.25f, "short enough");
  expect(std::abs(scale_of(stream, gradient, 0.25f, 2).factor / (0.25 * 2 / norm) - 1) < 1e-6, "shortened to 2");
  for (const float bad : {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
    gradient[kCount / 2] = bad;
    expect(scale_of(stream, gradient, 0.25f, 2).is_finite == 0, "not finite");
  }
}

DEVICE_TEST("scale_gradient notes the sums of steps, and the first step that is not finite") {
  Stream stream;
  const OnDevice<float> gradient(stream, random_floats(kCount, 1));
  const OnDevice<GradientScale> scale(stream, 1);
  const OnDevice<gnn::cuda::StepTotals> totals(stream, {{{0, 0, 0, 0}, 0, 0}});
  const auto note = [&](float loss, int64_t number) {
    const OnDevice<float> sums(stream, Floats{loss, 2, 1, 2});
    gnn::cuda::scale_gradient(stream, kCount, gradient, 0.5f, 0, scale, {sums, number, totals});
    expect(scale.read()[0].factor == 0.25f, "half, divided by the weight of the step's seeds");
    return scale.read()[0].is_finite;
  };
  expect(note(3, 7) == 1, "a step whose loss is finite");
  expect(note(4, 8) == 1, "another");
  const gnn::cuda::StepTotals good = totals.read()[0];
  expect(good.sums[0] == 7 && good.sums[1] == 4 && good.sums[2] == 2 && good.sums[3] == 4, "the sums of both");
  expect(good.num_bad_steps == 0, "none is bad");
  expect(note(std::numeric_limits<float>::infinity(), 9) == 0, "an infinite loss");
  expect(note(std::numeric_limits<float>::quiet_NaN(), 10) == 0, "a loss that is none");
  const gnn::cuda::StepTotals bad = totals.read()[0];
  expect(bad.num_bad_steps == 2 && bad.first_bad_step == 9, "both are counted, and the first is named");
}

DEVICE_TEST("adam_update is the CPU's, with decay added and decoupled") {
  for (const bool decoupled : {false, true}) {
    Stream stream;
    Floats p = random_floats(kCount, 1), m = random_floats(kCount, 2), v = random_floats(kCount, 3);
    const Floats g = random_floats(kCount, 4);
    for (float& value : v) value += 1.0f;
    const DeviceBucket bucket(stream, p, g);
    const OnDevice<float> momentum(stream, m), variance(stream, v);
    const gnn::AdamOptions options{0.01f, 0.9f, 0.999f, 1e-8f, 0.1f, decoupled};
    gnn::cuda::adam_update(stream, bucket.view(), momentum, variance, options, 3);
    const Floats half = halved(g);
    gnn::adam_update({kCount, p.data(), m.data(), v.data(), half.data(), options, 3});
    expect_close(bucket.parameter.read(), p, 1e-6, "parameter");
    expect_close(momentum.read(), m, 1e-6, "momentum");
    expect_close(variance.read(), v, 1e-6, "variance");
  }
}

DEVICE_TEST("sgd_update and adagrad_update are the CPU's") {
  Stream stream;
  Floats p = random_floats(kCount, 1), b = random_floats(kCount, 2);
  const Floats g = random_floats(kCount, 4);
  for (float& value : b) value += 1.0f;
  const Floats before = p, state = b;
  {
    const DeviceBucket bucket(stream, p, g);
    const OnDevice<float> buffer(stream, b);
    gnn::cuda::sgd_update(stream, bucket.view(), buffer, {0.01f, 0.9f, 0.1f});
    gnn::sgd_update(kCount, p.data(), b.data(), halved(g).data(), {0.01f, 0.9f, 0.1f});
    expect_close(bucket.parameter.read(), p, 1e-6, "parameter of SGD");
    expect_close(buffer.read(), b, 1e-6, "momentum");
  }
  p = before, b = state;
  const DeviceBucket bucket(stream, p, g);
  const OnDevice<float> squares(stream, b);
  gnn::cuda::adagrad_update(stream, bucket.view(), squares, {0.01f, 1e-10f, 0.1f});
  gnn::adagrad_update(kCount, p.data(), b.data(), halved(g).data(), {0.01f, 1e-10f, 0.1f});
  expect_close(bucket.parameter.read(), p, 1e-6, "parameter of Adagrad");
  expect_close(squares.read(), b, 1e-6, "squares");
}

DEVICE_TEST("an update by a gradient that is not finite changes nothing") {
  Stream stream;
  const Floats p = random_floats(kCount, 1), zeros(kCount);
  Floats g = random_floats(kCount, 2);
  g[7] = std::numeric_limits<float>::quiet_NaN();
  const DeviceBucket bucket(stream, p, g);
  const OnDevice<float> momentum(stream, zeros), variance(stream, zeros);
  gnn::cuda::scale_gradient(stream, kCount, bucket.gradient, 1, 0, bucket.scale);
  gnn::cuda::adam_update(stream, bucket.view(), momentum, variance, {0.01f, 0.9f, 0.999f, 1e-8f, 0}, 1);
  gnn::cuda::sgd_update(stream, bucket.view(), momentum, {0.01f, 0.9f, 0});
  gnn::cuda::adagrad_update(stream, bucket.view(), variance, {0.01f, 1e-10f, 0});
  expect_bits(bucket.parameter.read(), p, "parameter");
  expect_bits(momentum.read(), zeros, "momentum");
  expect_bits(variance.read(), zeros, "variance");
}

}  // namespace check
