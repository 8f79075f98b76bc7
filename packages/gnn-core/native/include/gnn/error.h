#pragma once
// The library's only exception: one of gnn-core's codes and a message for the user.
#include <stdexcept>
#include <string>

namespace gnn {

class Error : public std::runtime_error {
 public:
  Error(const char* code, const std::string& message) : std::runtime_error(message), code_(code) {}
  const char* code() const { return code_; }

 private:
  const char* code_;  // a string literal
};

}  // namespace gnn
