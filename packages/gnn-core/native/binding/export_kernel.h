#pragma once
// Exports functions, each with its signature, and turns the library's errors into JavaScript ones.
#include <new>
#include <type_traits>

#include "arguments.h"
#include "gnn/error.h"
#include "signature.h"

namespace hopwise {

template <Napi::Value (*function)(const Napi::CallbackInfo&)>
Napi::Value with_errors(const Napi::CallbackInfo& info) {
  try {
    return function(info);
  } catch (const gnn::Error& error) {
    throw_gnn_error(info.Env(), error.code(), error.what());
  } catch (const std::bad_alloc&) {
    throw Napi::RangeError::New(info.Env(), "The system has no memory left for a native kernel.");
  }
}

// Each argument is checked as the kernel reads it.
template <Napi::Value (*kernel)(Arguments&)>
Napi::Value call_kernel(const Napi::CallbackInfo& info) {
  signature_of(info).check_count(info);
  Arguments arguments(info);
  const Napi::Value result = kernel(arguments);
  arguments.require_all_read();
  return result;
}

template <auto function>
Napi::Value call_function(const Napi::CallbackInfo& info) {
  const Signature& signature = signature_of(info);
  signature.check_count(info);
  signature.check_types(info);
  if constexpr (std::is_void_v<decltype(function(info))>) {
    function(info);
    return info.Env().Undefined();
  } else {
    return function(info);
  }
}

inline void add_export(Napi::Object exports, const Signature& signature, Napi::Function function) {
  exports.Set(signature.name(), function);
  const auto all = exports.Get("signatures").As<Napi::Array>();
  all.Set(all.Length(), signature.text());
}

// A kernel that takes its arguments by a reader; `declared` is "name(parameter: type, …)".
template <Napi::Value (*kernel)(Arguments&)>
void export_kernel(Napi::Env env, Napi::Object exports, const char* declared) {
  static Signature signature(declared);
  add_export(exports, signature,
             Napi::Function::New<with_errors<call_kernel<kernel>>>(env, signature.name().c_str(), &signature));
}

// A function that takes its arguments as they come: they have the declared types by then.
template <auto function>
void export_function(Napi::Env env, Napi::Object exports, const char* declared) {
  static Signature signature(declared);
  add_export(exports, signature,
             Napi::Function::New<with_errors<call_function<function>>>(env, signature.name().c_str(), &signature));
}

}  // namespace hopwise
