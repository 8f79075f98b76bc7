// What tests set in the emulated device. Not in the addon for GPUs.
#include "../export_kernel.h"
#include "device.h"
#include "gnn/device/emulation.h"

namespace hopwise {
namespace {

// Bytes that the device has from now on.
Napi::Value set_memory(Arguments& arguments) {
  gnn::device::emulation::set_memory(static_cast<size_t>(arguments.count("bytes")));
  return arguments.env().Undefined();
}

Napi::Value memory_in_use(Arguments& arguments) {
  return Napi::Number::New(arguments.env(), static_cast<double>(gnn::device::emulation::memory_in_use()));
}

void init(Napi::Env env, Napi::Object exports) {
  export_kernel<set_memory>(env, exports, "setEmulatedMemory(bytes: number)");
  export_kernel<memory_in_use>(env, exports, "emulatedMemoryInUse()");
}

HOPWISE_BINDING(init);

}  // namespace
}  // namespace hopwise
