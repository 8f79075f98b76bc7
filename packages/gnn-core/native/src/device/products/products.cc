#include "gnn/device/products.h"

#include "gnn/device/array.h"
#include "gnn/error.h"
#include "product_plans.h"

namespace gnn::device {
namespace {

thread_local Products* of_thread = nullptr;

}  // namespace

Products::Products(const std::vector<std::string>& libraries)
    : library_(std::make_unique<CublasLt>(libraries)), why_not_(library_->why()) {
  if (!why_not_.empty()) return;
  cublaslt::Handle handle = nullptr;
  const int status = library_->create(&handle);
  if (status != cublaslt::kSuccess) {
    why_not_ = "cublasLtCreate failed with status " + std::to_string(status);
    return;
  }
  const size_t version = library_->version();  // 10000 major + 100 minor + patch, as of 13
  name_ = "cuBLASLt " + std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100) + "." +
          std::to_string(version % 100);
  plans_ = std::make_unique<ProductPlans>(*library_, handle);
}

Products::~Products() = default;

bool Products::multiply(Stream& stream, const Sgemm& op, const cuda::Epilogue& epilogue, Precision precision) {
  if (plans_ == nullptr || op.k == 0) return false;
  const ProductPlan& plan = plans_->plan(ProductShape::of(op, epilogue, precision), epilogue.bias);
  if (!plan.is_possible) return false;
  const Array<unsigned char> workspace(stream, static_cast<int64_t>(plan.workspace_bytes));
  const float alpha = 1.0f, beta = op.beta;
  note(Counted::kLaunch);
  plans_->check(
      library_->multiply(plans_->handle(), plan.descriptor, &alpha, op.b, plan.a, op.a, plan.b, &beta, op.c, plan.c,
                         op.c, plan.c, &plan.algorithm, workspace.data(), plan.workspace_bytes, stream.state()),
      "cublasLtMatmul");
  return true;
}

Products* products() { return of_thread; }
void set_products(Products* products) { of_thread = products; }

}  // namespace gnn::device
