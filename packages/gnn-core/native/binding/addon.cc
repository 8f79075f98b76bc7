#include "registry.h"

static Napi::Object init_addon(Napi::Env env, Napi::Object exports) {
  exports.Set("signatures", Napi::Array::New(env));
  for (hopwise::BindingInit init : hopwise::bindings()) init(env, exports);
  return exports;
}

NODE_API_MODULE(hopwise, init_addon)
