#include "gnn/nn/add_activate.h"

#include <cstring>

#include "gnn/runtime/isa.h"
#include "gnn/runtime/memory.h"
#include "gnn/runtime/parallel.h"

namespace gnn {
namespace {

constexpr int64_t kRows = 512;

GNN_MULTIVERSION void add(int64_t count, const float* a, const float* b, float* out) {
  for (int64_t i = 0; i < count; ++i) out[i] = a[i] + b[i];
}

size_t bytes(int64_t rows, int64_t dim) { return static_cast<size_t>(rows * dim) * sizeof(float); }

}  // namespace

void add_activate(const AddActivate& op) {
  const auto& [rows, dim, a, b, activation, out] = op;
  parallel_for(rows, kRows, [&](int64_t begin, int64_t end) {
    add((end - begin) * dim, a + begin * dim, b + begin * dim, out + begin * dim);
  });
  if (activation == Activation::kNone) return;
  Scratch zeros(dim);
  std::memset(zeros.data(), 0, bytes(1, dim));
  bias_activate({.rows = rows, .dim = dim, .x = out, .bias = zeros.data(), .activation = activation, .out = out});
}

void add_activate_grad(const AddActivateGrad& op) {
  Scratch d_bias(op.dim);
  bias_activate_grad({.rows = op.rows,
                      .dim = op.dim,
                      .out = op.out,
                      .dy = op.dy,
                      .activation = op.activation,
                      .dx = op.db,
                      .d_bias = d_bias.data()});
  std::memcpy(op.da, op.db, bytes(op.rows, op.dim));
  std::memset(op.da + op.rows * op.dim, 0, bytes(op.rows_of_a - op.rows, op.dim));
}

}  // namespace gnn
