#pragma once
// Lets each binding/<area>_binding.cc add its functions to the addon without a central list.
#include <napi.h>

#include <vector>

namespace hopwise {

using BindingInit = void (*)(Napi::Env, Napi::Object exports);

inline std::vector<BindingInit>& bindings() {
  static std::vector<BindingInit> all;
  return all;
}

struct BindingRegistration {
  explicit BindingRegistration(BindingInit init) { bindings().push_back(init); }
};

// Throws a JavaScript Error that carries one of gnn-core's codes.
[[noreturn]] inline void throw_gnn_error(Napi::Env env, const char* code, const std::string& message) {
  Napi::Error error = Napi::Error::New(env, message);
  error.Set("code", Napi::String::New(env, code));
  throw error;
}

}  // namespace hopwise

#define HOPWISE_BINDING(init) static ::hopwise::BindingRegistration registration_##init(init)
