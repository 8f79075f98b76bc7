#pragma once
// Exports functions and turns the library's errors into JavaScript ones.
#include <new>

#include "arguments.h"
#include "gnn/error.h"

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

template <Napi::Value (*kernel)(Arguments&)>
Napi::Value call_kernel(const Napi::CallbackInfo& info) {
  Arguments arguments(info);
  return kernel(arguments);
}

template <Napi::Value (*kernel)(Arguments&)>
void export_kernel(Napi::Env env, Napi::Object exports, const char* name) {
  exports.Set(name, Napi::Function::New<with_errors<call_kernel<kernel>>>(env, name));
}

}  // namespace hopwise
