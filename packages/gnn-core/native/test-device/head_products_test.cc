#include "arrays.h"
#include "check.h"
#include "gnn/cuda/nn/head_products.h"
#include "gnn/device/counters.h"
#include "gnn/nn/head_products.h"

namespace check {
namespace {

using Floats = std::vector<float>;

struct Shape {
  int64_t rows, heads, from, in, to, out;

  int64_t columns_in() const { return from * heads * in; }
  int64_t columns_out() const { return to * heads * out; }
  int64_t num_weights() const { return heads * from * in * to * out; }
};

std::string name_of(const Shape& s) {
  return std::to_string(s.rows) + " rows, " + std::to_string(s.heads) + " heads, " + std::to_string(s.from) + " x " +
         std::to_string(s.in) + " to " + std::to_string(s.to) + " x " + std::to_string(s.out);
}

// [heads, terms of c, terms of a] of [heads, terms of a, terms of c]
Floats turned(const Shape& s, const Floats& weights) {
  const int64_t k = s.from * s.in, n = s.to * s.out;
  Floats to(weights.size());
  for (int64_t h = 0; h < s.heads; ++h) {
    for (int64_t t = 0; t < k; ++t) {
      for (int64_t j = 0; j < n; ++j) to[(h * n + j) * k + t] = weights[(h * k + t) * n + j];
    }
  }
  return to;
}

// By the definition, in double precision.
Floats by_definition(const Shape& s, const Floats& x, const Floats& weights) {
  Floats out(static_cast<size_t>(s.rows * s.columns_out()));
  const int64_t n = s.to * s.out;
  for (int64_t v = 0; v < s.rows; ++v) {
    for (int64_t h = 0; h < s.heads; ++h) {
      for (int64_t j = 0; j < n; ++j) {
        double sum = 0;
        for (int64_t g = 0; g < s.from; ++g) {
          for (int64_t d = 0; d < s.in; ++d) {
            const int64_t term = (h * s.from + g) * s.in + d;
            sum += double{x[((v * s.from + g) * s.heads + h) * s.in + d]} * weights[term * n + j];
          }
        }
        out[((v * s.to + j / s.out) * s.heads + h) * s.out + j % s.out] = static_cast<float>(sum);
      }
    }
  }
  return out;
}

void compare(const Shape& s) {
  Stream stream;
  const Floats x = random_floats(s.rows * s.columns_in(), 1), w = random_floats(s.num_weights(), 2);
  const Floats w_turned = turned(s, w), dy = random_floats(s.rows * s.columns_out(), 3);
  const OnDevice<float> of_x(stream, x), of_w(stream, w), of_turned(stream, w_turned), of_dy(stream, dy);
  Floats expected(dy.size()), d_expected(w.size());
  gnn::HeadProduct op{s.rows, s.heads, {x.data(), s.from, s.in}, w.data(), false, {expected.data(), s.to, s.out}};
  gnn::multiply_heads(op);
  expect_close(expected, by_definition(s, x, w), 1e-5, "the CPU's, " + name_of(s));
  const OnDevice<float> out(stream, s.rows * s.columns_out()), d_weights(stream, s.num_weights());
  op.a.data = of_x, op.weights = of_w, op.c.data = out;
  gnn::cuda::multiply_heads(stream, op);
  expect_bits(out.read(), expected, name_of(s));
  op.weights = of_turned, op.transposed = true;
  gnn::cuda::multiply_heads(stream, op);
  expect_bits(out.read(), expected, "transposed, " + name_of(s));
  Floats host(expected.size());
  op.a.data = x.data(), op.weights = w_turned.data(), op.c.data = host.data();
  gnn::multiply_heads(op);
  expect_bits(host, expected, "transposed on the CPU, " + name_of(s));
  gnn::HeadWeightGrad grad{s.rows, s.heads, {x.data(), s.from, s.in}, {dy.data(), s.to, s.out}, d_expected.data()};
  gnn::head_weight_gradients(grad);
  grad.a.data = of_x, grad.dc.data = of_dy, grad.d_weights = d_weights;
  const int64_t before = gnn::device::counters().launches;
  gnn::cuda::head_weight_gradients(stream, grad);
  expect(gnn::device::counters().launches - before == (s.rows < 1024 ? 1 : 2), "launches");
  expect_bits(d_weights.read(), d_expected, "weights, " + name_of(s));
}

}  // namespace

DEVICE_TEST("products of heads and their gradients have the CPU's bits") {
  for (const int64_t rows : {0, 1, 70}) {
    compare({rows, 1, 1, 5, 1, 1});
    compare({rows, 4, 1, 8, 3, 8});
    compare({rows, 3, 6, 7, 1, 7});
    compare({rows, 2, 1, 33, 1, 70});
  }
  compare({1300, 2, 1, 5, 1, 3});
}

}  // namespace check
