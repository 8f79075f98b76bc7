#include "gnn/device/shared_library.h"

#include <dlfcn.h>

namespace gnn::device {

SharedLibrary::SharedLibrary(const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    handle_ = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle_ != nullptr) return;
    why_ += (why_.empty() ? "" : "; ") + std::string(dlerror());
  }
}

void* SharedLibrary::address_of(const char* name) const { return handle_ == nullptr ? nullptr : dlsym(handle_, name); }

}  // namespace gnn::device
