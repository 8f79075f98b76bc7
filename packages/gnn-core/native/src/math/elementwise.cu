#include "gnn/cuda/math/elementwise.h"

#include <cmath>

#include "gnn/device/kernel.h"

namespace gnn::cuda {
namespace {

__device__ inline float applied(Unary op, float x, float parameter) {
  switch (op) {
    case Unary::kAbs: return fabsf(x);
    case Unary::kCos: return cosf(x);
    case Unary::kElu: return x >= 0.0f ? x : expm1f(x);
    case Unary::kExp: return expf(x);
    case Unary::kLeakyRelu: return x < 0.0f ? parameter * x : x;
    case Unary::kLog1p: return log1pf(x);
    case Unary::kNeg: return -x;
    case Unary::kRelu: return x < 0.0f ? 0.0f : x;  // what is no number stays so
    case Unary::kRsqrt: return 1.0f / sqrtf(x);
    case Unary::kSigmoid: return 1.0f / (1.0f + expf(-x));
    case Unary::kSin: return sinf(x);
    case Unary::kSqrt: return sqrtf(x);
    case Unary::kSquare: return x * x;
    case Unary::kStep: return x > 0.0f ? 1.0f : x <= 0.0f ? parameter : x;
    case Unary::kTanh: return tanhf(x);
    default: return x;
  }
}

__device__ inline float applied(Binary op, float a, float b) {
  switch (op) {
    case Binary::kAdd: return a + b;
    case Binary::kDivide: return a / b;
    case Binary::kEluGrad: return b >= 0.0f ? a : a * (b + 1.0f);
    case Binary::kMultiply: return a * b;
    default: return a - b;
  }
}

__device__ inline float element(const Operand& of, int64_t row, int64_t column) {
  return of.data == nullptr ? of.value : of.data[row * of.row_step + column * of.column_step];
}

// A thread per element, in both of these.
__global__ void unary_kernel(ApplyUnary op) {
  const int64_t i = thread_index();
  if (i < op.count) op.out[i] = applied(op.op, op.x[i], op.parameter);
}

__global__ void binary_kernel(ApplyBinary op) {
  const int64_t i = thread_index();
  if (i >= op.rows * op.columns) return;
  const int64_t row = i / op.columns, column = i % op.columns;
  op.out[i] = applied(op.op, element(op.a, row, column), element(op.b, row, column));
}

}  // namespace

void apply_unary(Stream& stream, const ApplyUnary& op) {
  if (op.count > 0) device::launch(unary_kernel, device::grid_for(op.count), stream, op);
}

void apply_binary(Stream& stream, const ApplyBinary& op) {
  const int64_t count = op.rows * op.columns;
  if (count > 0) device::launch(binary_kernel, device::grid_for(count), stream, op);
}

}  // namespace gnn::cuda
