#include <cxxabi.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "gnn/device/cuda_failure.h"
#include "gnn/error.h"

namespace gnn::device {
namespace {

struct Kernels {
  std::mutex mutex;
  // Asked for at a kernel's first start: a device on which one has failed answers no question any more.
  std::unordered_map<const void*, std::string> names;
  const void* last = nullptr;
};

Kernels& kernels() {
  static Kernels* const kernels = new Kernels;
  return *kernels;
}

// Such as "gnn::cuda::spmm_kernel<float>", without its parameters.
std::string name_of(const void* kernel) {
  const char* mangled = nullptr;
  if (cudaFuncGetName(&mangled, kernel) != cudaSuccess || mangled == nullptr) {
    cudaGetLastError();  // forgets it
    return "(without a name)";
  }
  int status = 0;
  using Text = std::unique_ptr<char, void (*)(void*)>;
  const Text plain(abi::__cxa_demangle(mangled, nullptr, nullptr, &status), std::free);
  const std::string name = plain == nullptr ? mangled : plain.get();
  std::string shown;
  for (size_t at = 0; at < name.size(); ++at) {
    static const std::string kUnnamed = "(anonymous namespace)::";
    if (name.compare(at, kUnnamed.size(), kUnnamed) == 0) {
      at += kUnnamed.size() - 1;
    } else if (name[at] == '(') {
      break;
    } else {
      shown += name[at];
    }
  }
  return shown.starts_with("void ") ? shown.substr(5) : shown;
}

// What only another device, a reset or a repair helps against.
bool is_lost(cudaError_t result) {
  switch (result) {
    case cudaErrorDevicesUnavailable:
    case cudaErrorNoDevice:
    case cudaErrorECCUncorrectable:
    case cudaErrorNvlinkUncorrectable:
    case cudaErrorContained:
    case cudaErrorSystemNotReady:
    case cudaErrorExternalDevice:
    case cudaErrorUnknown:  // so a device that has fallen off the bus is told
      return true;
    default:
      return false;
  }
}

std::string last_kernel() {
  const std::lock_guard lock(kernels().mutex);
  if (kernels().last == nullptr) return "";
  return " The kernel that was started last is " + kernels().names[kernels().last] +
         "; with CUDA_LAUNCH_BLOCKING=1 it is the one that failed.";
}

}  // namespace

void note_start(const void* kernel) {
  Kernels& all = kernels();
  const std::lock_guard lock(all.mutex);
  if (!all.names.contains(kernel)) all.names.emplace(kernel, name_of(kernel));
  all.last = kernel;
}

void throw_failure(cudaError_t result, const std::string& what, const char* code) {
  cudaGetLastError();  // what is thrown here is not the next kernel's failure
  const std::string found = what + ": " + cudaGetErrorString(result) + ".";
  if (std::strcmp(code, "DEVICE_FAULT") != 0) throw Error(code, found);
  if (is_lost(result)) throw Error("DEVICE_LOST", found);
  throw Error(code, found + last_kernel());
}

}  // namespace gnn::device
