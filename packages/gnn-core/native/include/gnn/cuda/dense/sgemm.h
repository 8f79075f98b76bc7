#pragma once
#include "gnn/dense/sgemm.h"
#include "gnn/device/stream.h"

namespace gnn::cuda {

using device::Stream;

// What a product does last, while its result is in registers.
struct Epilogue {
  const float* bias = nullptr;  // [n], added to every row
  bool with_relu = false;
};

// C [m, n] = act(op(A) op(B) + beta C + bias), row-major float32. A long sum with a small result is cut into parts that
// are added in their order: always the same bits.
void sgemm(Stream& stream, const Sgemm& op, const Epilogue& epilogue = {});

// What a second product of the same shape reads.
struct SecondProduct {
  const float* a = nullptr;
  const float* b = nullptr;
  float* c = nullptr;
};
// As two calls of sgemm(), started together.
void sgemm_pair(Stream& stream, const Sgemm& op, const SecondProduct& second);

}  // namespace gnn::cuda
