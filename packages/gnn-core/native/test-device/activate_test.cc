#include "arrays.h"
#include "check.h"
#include "gnn/cuda/nn/bias_activate.h"

namespace check {
namespace {

using Floats = std::vector<float>;
using gnn::Activation;

constexpr Activation kActivations[] = {Activation::kNone, Activation::kRelu, Activation::kElu, Activation::kLeakyRelu,
                                       Activation::kTanh};
constexpr int64_t kRows = 70, kDim = 47, kCount = kRows * kDim;

}  // namespace

DEVICE_TEST("bias_activate and its gradient are the CPU's for all activations") {
  for (const Activation activation : kActivations) {
    Stream stream;
    const Floats x = random_floats(kCount, 1), bias = random_floats(kDim, 2), dy = random_floats(kCount, 3);
    Floats out(x.size()), dx(x.size()), d_bias(bias.size());
    gnn::bias_activate(
        {.rows = kRows, .dim = kDim, .x = x.data(), .bias = bias.data(), .activation = activation, .out = out.data()});
    gnn::bias_activate_grad({.rows = kRows,
                             .dim = kDim,
                             .out = out.data(),
                             .dy = dy.data(),
                             .activation = activation,
                             .dx = dx.data(),
                             .d_bias = d_bias.data()});
    const OnDevice<float> rows(stream, x), b(stream, bias), g(stream, dy), of_bias(stream, kDim),
        d_rows(stream, kCount);
    gnn::cuda::bias_activate(stream,
                             {.rows = kRows, .dim = kDim, .x = rows, .bias = b, .activation = activation, .out = rows});
    expect_close(rows.read(), out, 1e-6, "out, in place");
    gnn::cuda::bias_activate_grad(
        stream,
        {.rows = kRows, .dim = kDim, .out = rows, .dy = g, .activation = activation, .dx = d_rows, .d_bias = of_bias});
    expect_close(d_rows.read(), dx, 1e-6, "dx");
    expect_close(of_bias.read(), d_bias, 1e-5, "d_bias");
  }
}

DEVICE_TEST("add_activate and its gradient are the CPU's for all activations") {
  constexpr int64_t kRowsOfA = kRows + 5;
  for (const Activation activation : kActivations) {
    Stream stream;
    const Floats a = random_floats(kRowsOfA * kDim, 1), b = random_floats(kCount, 2), dy = random_floats(kCount, 3);
    Floats out(b.size()), da(a.size()), db(b.size());
    gnn::add_activate(
        {.rows = kRows, .dim = kDim, .a = a.data(), .b = b.data(), .activation = activation, .out = out.data()});
    gnn::add_activate_grad({.rows = kRows,
                            .rows_of_a = kRowsOfA,
                            .dim = kDim,
                            .out = out.data(),
                            .dy = dy.data(),
                            .activation = activation,
                            .da = da.data(),
                            .db = db.data()});
    const OnDevice<float> of_a(stream, a), of_b(stream, b), g(stream, dy), d_a(stream, kRowsOfA * kDim),
        d_b(stream, kCount);
    gnn::cuda::add_activate(stream,
                            {.rows = kRows, .dim = kDim, .a = of_a, .b = of_b, .activation = activation, .out = of_b});
    expect_close(of_b.read(), out, 1e-6, "out, in the place of b");
    gnn::cuda::add_activate_grad(stream, {.rows = kRows,
                                          .rows_of_a = kRowsOfA,
                                          .dim = kDim,
                                          .out = of_b,
                                          .dy = g,
                                          .activation = activation,
                                          .da = d_a,
                                          .db = d_b});
    expect_close(d_a.read(), da, 1e-6, "da");
    expect_close(d_b.read(), db, 1e-6, "db");
  }
}

}  // namespace check
