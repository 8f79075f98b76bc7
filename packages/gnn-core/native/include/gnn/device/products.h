#pragma once
// Products of matrices by cuBLASLt, which is opened at run time. Where it is not there, or refuses a product, callers
// have a kernel of their own.
#include <memory>
#include <string>
#include <vector>

#include "gnn/cuda/dense/sgemm.h"
#include "gnn/device/precision.h"
#include "gnn/device/stream.h"

namespace gnn::device {

class CublasLt;
class ProductPlans;

class Products {
 public:
  // The library's own names by default.
  explicit Products(const std::vector<std::string>& libraries = {"libcublasLt.so.13", "libcublasLt.so.12"});
  ~Products();

  // Why there are none; empty when there are.
  const std::string& why_not() const { return why_not_; }
  // "cuBLASLt 13.1.1"
  const std::string& name() const { return name_; }

  // Enqueues C = act(op(A) op(B) + beta C + bias). @returns false when the library knows no way: nothing was enqueued.
  // Throws DEVICE_FAULT when it fails.
  bool multiply(Stream& stream, const Sgemm& op, const cuda::Epilogue& epilogue, Precision precision);

 private:
  std::unique_ptr<CublasLt> library_;
  std::unique_ptr<ProductPlans> plans_;
  std::string why_not_, name_;
};

// Those of the calling thread, whose device and streams do not change; null: products are our own kernels'. None in
// the emulation, where nothing but a test's double could be called.
Products* products();
void set_products(Products* products);

}  // namespace gnn::device
