#pragma once
// A shared library that is opened at run time, because machines without it must run the program, too.
#include <string>
#include <vector>

namespace gnn::device {

// Stays open until the process ends: what it started, threads for one, may outlive every user of it.
class SharedLibrary {
 public:
  // The first of the names that can be opened; a name with a slash is a path. `why` says of each why it cannot.
  explicit SharedLibrary(const std::vector<std::string>& names);

  bool is_open() const { return handle_ != nullptr; }
  const std::string& why() const { return why_; }

  // Null when the library has no such function.
  template <typename Function>
  Function* find(const char* name) const {
    return reinterpret_cast<Function*>(address_of(name));
  }

 private:
  void* address_of(const char* name) const;

  void* handle_ = nullptr;
  std::string why_;
};

}  // namespace gnn::device
