#pragma once
#include <cstdint>

#include "gnn/device/stream.h"

namespace gnn::cuda {

using device::Stream;

// Functions of one number, as the stock ops of TensorFlow.js of these names have them. JavaScript knows them by their
// place here (src/backends/cuda/stock-addon.ts).
enum class Unary : int32_t {
  kAbs,
  kCos,
  kElu,
  kExp,
  kLeakyRelu,  // its slope below 0 is the parameter
  kLog1p,
  kNeg,
  kRelu,
  kRsqrt,
  kSigmoid,
  kSin,
  kSqrt,
  kSquare,
  kStep,  // 1 above 0, else the parameter
  kTanh,
  kEnd,
};

struct ApplyUnary {
  Unary op;
  int64_t count;
  const float* x;  // [count]
  float parameter;
  float* out;      // [count], may be x
};
void apply_unary(Stream& stream, const ApplyUnary& op);

enum class Binary : int32_t {
  kAdd,
  kDivide,
  kEluGrad,  // a times ELU's slope where its result is b
  kMultiply,
  kSubtract,
  kEnd,
};

// Element (row, column) is data[row * row_step + column * column_step]: a step of 0 repeats what it has. Without data
// it is `value`.
struct Operand {
  const float* data;
  int64_t row_step;
  int64_t column_step;
  float value;
};

struct ApplyBinary {
  Binary op;
  int64_t rows;
  int64_t columns;
  Operand a;
  Operand b;
  float* out;  // [rows, columns]
};
void apply_binary(Stream& stream, const ApplyBinary& op);

}  // namespace gnn::cuda
