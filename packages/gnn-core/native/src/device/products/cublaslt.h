#pragma once
// What is called of cuBLASLt, declared here: neither NVIDIA's header nor its library is needed to build. The
// declarations are those of cublasLt.h of cuBLAS 13.1; the calls are those of 12, too.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "gnn/device/shared_library.h"

namespace gnn::device {

namespace cublaslt {

enum Status : int { kSuccess = 0 };
enum Compute : int { kCompute32F = 68, kCompute32FFast16Bf = 75, kCompute32FFastTf32 = 77 };
enum DataType : int { kR32F = 0 };
enum Operation : int { kNone = 0, kTranspose = 1 };
enum Epilogue : int { kDefault = 1, kRelu = 2, kBias = 4, kReluBias = 6 };
enum DescriptorAttribute : int { kTransA = 3, kTransB = 4, kEpilogue = 7, kBiasPointer = 8 };
enum PreferenceAttribute : int {
  kWorkspaceBytes = 1,
  kAlignmentOfA = 5,
  kAlignmentOfB = 6,
  kAlignmentOfC = 7,
  kAlignmentOfD = 8
};
struct Algorithm {
  uint64_t data[8];
};
struct Heuristic {
  Algorithm algorithm;
  size_t workspace_bytes;
  int status;
  float waves;
  int reserved[4];
};
struct Opaque;
using Handle = Opaque*;
using Descriptor = Opaque*;
using Layout = Opaque*;
using Preference = Opaque*;

}  // namespace cublaslt

// The functions of the library. `why()` is empty when all are there.
class CublasLt {
 public:
  explicit CublasLt(const std::vector<std::string>& names);
  const std::string& why() const { return why_; }

  int (*create)(cublaslt::Handle*);
  int (*destroy)(cublaslt::Handle);
  size_t (*version)();
  int (*make_descriptor)(cublaslt::Descriptor*, cublaslt::Compute, cublaslt::DataType);
  int (*destroy_descriptor)(cublaslt::Descriptor);
  int (*set)(cublaslt::Descriptor, cublaslt::DescriptorAttribute, const void*, size_t);
  int (*make_layout)(cublaslt::Layout*, cublaslt::DataType, uint64_t rows, uint64_t columns, int64_t stride);
  int (*destroy_layout)(cublaslt::Layout);
  int (*make_preference)(cublaslt::Preference*);
  int (*destroy_preference)(cublaslt::Preference);
  int (*prefer)(cublaslt::Preference, cublaslt::PreferenceAttribute, const void*, size_t);
  int (*choose)(cublaslt::Handle, cublaslt::Descriptor, cublaslt::Layout a, cublaslt::Layout b, cublaslt::Layout c,
                cublaslt::Layout d, cublaslt::Preference, int wanted, cublaslt::Heuristic*, int* found);
  int (*multiply)(cublaslt::Handle, cublaslt::Descriptor, const void* alpha, const void* a, cublaslt::Layout,
                  const void* b, cublaslt::Layout, const void* beta, const void* c, cublaslt::Layout, void* d,
                  cublaslt::Layout, const cublaslt::Algorithm*, void* workspace, size_t workspace_bytes, void* stream);

 private:
  template <typename Function>
  void find(Function*& function, const char* name);

  SharedLibrary library_;
  std::string why_;
};

}  // namespace gnn::device
