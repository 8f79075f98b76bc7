#include "nccl.h"

#include "gnn/device/driver.h"

namespace gnn::device {

template <typename Function>
void Nccl::find(Function*& function, const char* name) {
  function = library_.find<Function>(name);
  if (function == nullptr && why_.empty()) why_ = std::string("the library has no ") + name;
}

Nccl::Nccl(const std::vector<std::string>& names) : library_(names), why_(library_.why()) {
  if (library_.is_open()) why_.clear();
  find(version, "ncclGetVersion");
  find(make_id, "ncclGetUniqueId");
  find(join, "ncclCommInitRank");
  find(all_reduce, "ncclAllReduce");
  find(async_error, "ncclCommGetAsyncError");
  find(abort, "ncclCommAbort");
  find(leave, "ncclCommDestroy");
  find(text, "ncclGetErrorString");
  if (why_.empty()) why_ = driver::why_not_with(library_);
}

}  // namespace gnn::device
