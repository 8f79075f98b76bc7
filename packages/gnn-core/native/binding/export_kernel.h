#pragma once
// Exports a kernel wrapper `Napi::Value f(Arguments&)` and turns the library's errors into JavaScript ones.
#include <new>

#include "arguments.h"
#include "gnn/error.h"

namespace hopwise {

template <Napi::Value (*kernel)(Arguments&)>
Napi::Value call_kernel(const Napi::CallbackInfo& info) {
  Arguments arguments(info);
  try {
    return kernel(arguments);
  } catch (const gnn::Error& error) {
    throw_gnn_error(info.Env(), error.code(), error.what());
  } catch (const std::bad_alloc&) {
    throw Napi::RangeError::New(info.Env(), "The system has no memory left for a native kernel.");
  }
}

template <Napi::Value (*kernel)(Arguments&)>
void export_kernel(Napi::Env env, Napi::Object exports, const char* name) {
  exports.Set(name, Napi::Function::New<call_kernel<kernel>>(env, name));
}

}  // namespace hopwise
