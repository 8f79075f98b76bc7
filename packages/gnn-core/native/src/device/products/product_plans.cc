#include "product_plans.h"

#include <bit>
#include <initializer_list>
#include <string>

#include "gnn/error.h"

namespace gnn::device {
namespace {

// What NVIDIA recommends for Hopper, and more than older GPUs make use of.
constexpr size_t kMostWorkspaceBytes = size_t{32} << 20;
constexpr uint32_t kMostAlignment = 256;
// Blocks of each batch have sizes of their own.
constexpr size_t kMostPlans = 1024;

// Bytes that all of them, null or not, are aligned to. Of the bias the library is told nothing but this.
uint32_t alignment_of(std::initializer_list<const void*> memory) {
  uintptr_t bits = kMostAlignment;
  for (const void* each : memory) bits |= reinterpret_cast<uintptr_t>(each);
  return 1u << std::countr_zero(bits);
}

cublaslt::Compute compute_of(Precision precision) {
  switch (precision) {
    case Precision::kTf32: return cublaslt::kCompute32FFastTf32;
    case Precision::kBf16: return cublaslt::kCompute32FFast16Bf;
    default: return cublaslt::kCompute32F;
  }
}

cublaslt::Epilogue epilogue_of(const ProductShape& shape) {
  if (shape.has_bias) return shape.with_relu ? cublaslt::kReluBias : cublaslt::kBias;
  return shape.with_relu ? cublaslt::kRelu : cublaslt::kDefault;
}

}  // namespace

ProductShape ProductShape::of(const Sgemm& op, const cuda::Epilogue& epilogue, Precision precision) {
  return {op.m,
          op.n,
          op.k,
          op.trans_a,
          op.trans_b,
          epilogue.bias != nullptr,
          epilogue.with_relu,
          op.beta != 0.0f,
          precision,
          alignment_of({op.a, op.b, op.c, epilogue.bias})};
}

ProductPlans::~ProductPlans() {
  forget_all();
  library_.destroy(handle_);
}

void ProductPlans::check(int status, const char* call) const {
  if (status == cublaslt::kSuccess) return;
  throw Error("DEVICE_FAULT", std::string(call) + " failed with status " + std::to_string(status) + ".");
}

void ProductPlans::set(cublaslt::Descriptor descriptor, cublaslt::DescriptorAttribute attribute, const void* value,
                       size_t bytes) const {
  check(library_.set(descriptor, attribute, value, bytes), "cublasLtMatmulDescSetAttribute");
}

const ProductPlan& ProductPlans::plan(const ProductShape& shape, const float* bias) {
  const auto found = plans_.find(shape);
  if (found != plans_.end()) {
    if (bias != nullptr) set(found->second.descriptor, cublaslt::kBiasPointer, &bias, sizeof bias);
    return found->second;
  }
  if (plans_.size() >= kMostPlans) forget_all();
  return plans_.emplace(shape, make(shape, bias)).first->second;
}

ProductPlan ProductPlans::make(const ProductShape& shape, const float* bias) {
  using namespace cublaslt;
  ProductPlan plan;
  const Operation of_a = shape.trans_b ? kTranspose : kNone, of_b = shape.trans_a ? kTranspose : kNone;
  const Epilogue epilogue = epilogue_of(shape);
  check(library_.make_descriptor(&plan.descriptor, compute_of(shape.precision), kR32F), "cublasLtMatmulDescCreate");
  set(plan.descriptor, kTransA, &of_a, sizeof of_a);
  set(plan.descriptor, kTransB, &of_b, sizeof of_b);
  set(plan.descriptor, kEpilogue, &epilogue, sizeof epilogue);
  if (bias != nullptr) set(plan.descriptor, kBiasPointer, &bias, sizeof bias);
  const auto layout = [&](Layout* to, int64_t rows, int64_t columns) {
    check(library_.make_layout(to, kR32F, static_cast<uint64_t>(rows), static_cast<uint64_t>(columns), rows),
          "cublasLtMatrixLayoutCreate");
  };
  layout(&plan.a, shape.trans_b ? shape.k : shape.n, shape.trans_b ? shape.n : shape.k);
  layout(&plan.b, shape.trans_a ? shape.m : shape.k, shape.trans_a ? shape.k : shape.m);
  layout(&plan.c, shape.n, shape.m);
  choose(shape, plan);
  return plan;
}

void ProductPlans::choose(const ProductShape& shape, ProductPlan& plan) {
  using namespace cublaslt;
  Preference preference = nullptr;
  check(library_.make_preference(&preference), "cublasLtMatmulPreferenceCreate");
  library_.prefer(preference, kWorkspaceBytes, &kMostWorkspaceBytes, sizeof kMostWorkspaceBytes);
  for (const PreferenceAttribute operand : {kAlignmentOfA, kAlignmentOfB, kAlignmentOfC, kAlignmentOfD}) {
    library_.prefer(preference, operand, &shape.alignment, sizeof shape.alignment);
  }
  Heuristic found{};
  int count = 0;
  const int status =
      library_.choose(handle_, plan.descriptor, plan.a, plan.b, plan.c, plan.c, preference, 1, &found, &count);
  library_.destroy_preference(preference);
  plan.is_possible = status == kSuccess && count > 0 && found.status == kSuccess;
  plan.algorithm = found.algorithm;
  plan.workspace_bytes = found.workspace_bytes;
}

void ProductPlans::forget_all() {
  for (const auto& [shape, plan] : plans_) {
    for (cublaslt::Layout layout : {plan.a, plan.b, plan.c}) library_.destroy_layout(layout);
    library_.destroy_descriptor(plan.descriptor);
  }
  plans_.clear();
}

}  // namespace gnn::device
