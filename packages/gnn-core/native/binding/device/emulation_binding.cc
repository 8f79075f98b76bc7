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

// The device is lost when so many further kernels and copies have been done.
Napi::Value lose_device(Arguments& arguments) {
  gnn::device::emulation::lose_device_after(static_cast<uint64_t>(arguments.count("pieces")));
  return arguments.env().Undefined();
}

// A device that was lost, or on which a kernel has failed, is usable again.
Napi::Value reset_device(Arguments& arguments) {
  gnn::device::emulation::reset_device();
  return arguments.env().Undefined();
}

void init(Napi::Env env, Napi::Object exports) {
  export_kernel<set_memory>(env, exports, "setEmulatedMemory(bytes: number)");
  export_kernel<memory_in_use>(env, exports, "emulatedMemoryInUse()");
  export_kernel<lose_device>(env, exports, "loseEmulatedDeviceAfter(pieces: number)");
  export_kernel<reset_device>(env, exports, "resetEmulatedDevice()");
}

HOPWISE_BINDING(init);

}  // namespace
}  // namespace hopwise
