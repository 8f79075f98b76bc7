#pragma once
// What is called of NCCL, declared here: neither its header nor its library is needed to build. The declarations are
// those of nccl.h of NCCL 2.30; the calls are those of every 2.x since 2.4.
#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "gnn/device/shared_library.h"

namespace gnn::device {

namespace nccl {

enum Result : int { kSuccess = 0, kInProgress = 7 };
enum DataType : int { kFloat32 = 7 };
enum Operation : int { kSum = 0 };
struct UniqueId {
  std::array<char, 128> bytes;
};
using Communicator = void*;

}  // namespace nccl

// The functions of the library. `why()` is empty when all are there.
class Nccl {
 public:
  explicit Nccl(const std::vector<std::string>& names);
  const std::string& why() const { return why_; }

  int (*version)(int*);
  int (*make_id)(nccl::UniqueId*);
  int (*join)(nccl::Communicator*, int members, nccl::UniqueId, int rank);
  int (*all_reduce)(const void* from, void* to, size_t count, nccl::DataType, nccl::Operation, nccl::Communicator,
                    void* stream);
  int (*async_error)(nccl::Communicator, int*);
  int (*abort)(nccl::Communicator);
  int (*leave)(nccl::Communicator);
  const char* (*text)(int);

 private:
  template <typename Function>
  void find(Function*& function, const char* name);

  SharedLibrary library_;
  std::string why_;
};

}  // namespace gnn::device
