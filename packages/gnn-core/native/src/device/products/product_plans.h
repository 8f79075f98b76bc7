#pragma once
// How cuBLASLt computes products of one shape, found once. A row-major matrix is a column-major one transposed: what is
// asked for is transpose(C) = transpose(op(B)) transpose(op(A)).
#include <compare>
#include <cstdint>
#include <map>

#include "cublaslt.h"
#include "gnn/cuda/dense/sgemm.h"
#include "gnn/device/precision.h"

namespace gnn::device {

struct ProductShape {
  int64_t m, n, k;
  bool trans_a, trans_b, has_bias, with_relu, accumulates;
  Precision precision;
  uint32_t alignment;  // of all matrices, in bytes

  static ProductShape of(const Sgemm& op, const cuda::Epilogue& epilogue, Precision precision);
  auto operator<=>(const ProductShape&) const = default;
};

struct ProductPlan {
  bool is_possible = false;
  cublaslt::Descriptor descriptor = nullptr;
  cublaslt::Layout a = nullptr, b = nullptr, c = nullptr;  // of the library's operands: its A is our B
  cublaslt::Algorithm algorithm{};
  size_t workspace_bytes = 0;
};

class ProductPlans {
 public:
  ProductPlans(const CublasLt& library, cublaslt::Handle handle) : library_(library), handle_(handle) {}
  ~ProductPlans();
  cublaslt::Handle handle() const { return handle_; }

  // With `bias` [n] set, null without. Throws DEVICE_FAULT when the library fails.
  const ProductPlan& plan(const ProductShape& shape, const float* bias);
  void check(int status, const char* call) const;

 private:
  ProductPlan make(const ProductShape& shape, const float* bias);
  void set(cublaslt::Descriptor descriptor, cublaslt::DescriptorAttribute attribute, const void* value,
           size_t bytes) const;
  void choose(const ProductShape& shape, ProductPlan& plan);
  void forget_all();

  const CublasLt& library_;
  const cublaslt::Handle handle_;
  std::map<ProductShape, ProductPlan> plans_;
};

}  // namespace gnn::device
