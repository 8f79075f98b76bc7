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

void add_activate(int64_t rows, int64_t dim, const float* a, const float* b, Activation activation, float* out) {
  parallel_for(rows, kRows, [&](int64_t begin, int64_t end) {
    add((end - begin) * dim, a + begin * dim, b + begin * dim, out + begin * dim);
  });
  if (activation == Activation::kNone) return;
  Scratch zeros(dim);
  std::memset(zeros.data(), 0, bytes(1, dim));
  bias_activate(rows, dim, out, zeros.data(), activation, out);
}

void add_activate_grad(int64_t rows, int64_t rows_a, int64_t dim, const float* out, const float* dy,
                       Activation activation, float* da, float* db) {
  Scratch d_bias(dim);
  bias_activate_grad(rows, dim, out, dy, activation, db, d_bias.data());
  std::memcpy(da, db, bytes(rows, dim));
  std::memset(da + rows * dim, 0, bytes(rows_a - rows, dim));
}

}  // namespace gnn
