#include "device/probe/nvml.h"

namespace gnn::device {
namespace {

using Device = Nvml::Device;

constexpr unsigned kTextBytes = 96;  // NVML's longest name or UUID

std::string text_of(const Nvml& nvml, int (*read)(Device, char*, unsigned), Device device, const char* call) {
  char text[kTextBytes] = "";
  nvml.check(read(device, text, kTextBytes), call);
  return text;
}

nvml::Memory memory_of(const Nvml& nvml, Device device) {
  nvml::Memory memory{};
  nvml.check(nvml.memory(device, &memory), "nvmlDeviceGetMemoryInfo");
  return memory;
}

// Null where the device has no such slice.
Device slice_of(const Nvml& nvml, Device device, unsigned index) {
  Device slice = nullptr;
  const int result = nvml.slice(device, index, &slice);
  if (result == nvml::kNotFound) return nullptr;
  nvml.check(result, "nvmlDeviceGetMigDeviceHandleByIndex");
  return slice;
}

void add_slices(const Nvml& nvml, Device device, DeviceInfo& info) {
  unsigned current = 0, pending = 0, most = 0;
  const int result = nvml.mig_mode(device, &current, &pending);
  if (result == nvml::kNotSupported) return;
  nvml.check(result, "nvmlDeviceGetMigMode");
  info.is_sliced = current == 1;
  if (!info.is_sliced) return;
  nvml.check(nvml.max_slices(device, &most), "nvmlDeviceGetMaxMigDeviceCount");
  for (unsigned i = 0; i < most; ++i) {
    const Device slice = slice_of(nvml, device, i);
    if (slice == nullptr) continue;
    const nvml::Memory memory = memory_of(nvml, slice);
    info.slices.push_back({text_of(nvml, nvml.uuid, slice, "nvmlDeviceGetUUID"),
                           text_of(nvml, nvml.name, slice, "nvmlDeviceGetName"), memory.total, memory.free});
  }
}

DeviceInfo info_of(const Nvml& nvml, Device device, int index) {
  DeviceInfo info;
  info.index = index;
  info.uuid = text_of(nvml, nvml.uuid, device, "nvmlDeviceGetUUID");
  info.name = text_of(nvml, nvml.name, device, "nvmlDeviceGetName");
  nvml::Pci pci{};
  nvml.check(nvml.pci(device, &pci), "nvmlDeviceGetPciInfo_v3");
  info.pci = pci.id;
  const nvml::Memory memory = memory_of(nvml, device);
  info.memory_total = memory.total, info.memory_free = memory.free;
  nvml.check(nvml.capability(device, &info.capability_major, &info.capability_minor),
             "nvmlDeviceGetCudaComputeCapability");
  add_slices(nvml, device, info);
  return info;
}

const char* path_of(int ancestor) {
  switch (ancestor) {
    case 0: return "board";
    case 10: return "switch";
    case 20: return "switches";
    case 30: return "host-bridge";
    case 40: return "numa-node";
    case 50: return "system";
    default: return "unknown";
  }
}

// What a virtual machine hides of the topology is not an error.
Link link_of(const Nvml& nvml, const std::vector<Device>& devices, int a, int b) {
  const Device first = devices[static_cast<size_t>(a)], second = devices[static_cast<size_t>(b)];
  int ancestor = -1, status = -1;
  if (nvml.common_ancestor(first, second, &ancestor) != nvml::kSuccess) ancestor = -1;
  const bool tells = nvml.peer_status(first, second, nvml::kPeerByNvlink, &status) == nvml::kSuccess;
  return {a, b, tells && status == nvml::kPeerIsPossible, path_of(ancestor)};
}

std::vector<Device> devices_of(const Nvml& nvml) {
  unsigned count = 0;
  nvml.check(nvml.count(&count), "nvmlDeviceGetCount_v2");
  std::vector<Device> devices(count);
  for (unsigned i = 0; i < count; ++i) nvml.check(nvml.by_index(i, &devices[i]), "nvmlDeviceGetHandleByIndex_v2");
  return devices;
}

std::optional<double> watts_of(int (*read)(Device, unsigned*), Device device) {
  unsigned milliwatts = 0;
  if (read(device, &milliwatts) != nvml::kSuccess) return std::nullopt;
  return milliwatts / 1000.0;
}

DeviceUse use_of(const Nvml& nvml, Device device, int index) {
  DeviceUse use;
  use.index = index;
  use.memory_free = memory_of(nvml, device).free;
  nvml::Utilization busy{};
  if (nvml.utilization(device, &busy) == nvml::kSuccess) use.busy_percent = busy.gpu, use.memory_percent = busy.memory;
  use.watts = watts_of(nvml.power, device);
  use.watts_limit = watts_of(nvml.power_limit, device);
  unsigned celsius = 0;
  if (nvml.temperature(device, nvml::kTemperatureOfGpu, &celsius) == nvml::kSuccess) use.celsius = celsius;
  return use;
}

DriverVersion driver_of(const Nvml& nvml) {
  char text[kTextBytes] = "";
  DriverVersion driver;
  nvml.check(nvml.driver_version(text, kTextBytes), "nvmlSystemGetDriverVersion");
  nvml.check(nvml.cuda_version(&driver.cuda), "nvmlSystemGetCudaDriverVersion_v2");
  driver.version = text;
  return driver;
}

std::string dotted(int cuda) { return std::to_string(cuda / 1000) + "." + std::to_string(cuda % 1000 / 10); }

}  // namespace

DeviceProbe::DeviceProbe(const std::string& library, int oldest_cuda)
    : nvml_(std::make_unique<Nvml>(library)), driver_(driver_of(*nvml_)) {
  if (driver_.cuda >= oldest_cuda) return;
  throw NoDevices(Absence::kDriverTooOld, "NVIDIA's driver " + driver_.version + " runs CUDA " + dotted(driver_.cuda) +
                                              "; the kernels need " + dotted(oldest_cuda) +
                                              ". Install driver 580 or newer.");
}

DeviceProbe::~DeviceProbe() = default;

DeviceList DeviceProbe::list() const {
  DeviceList list{driver_, {}, {}};
  const std::vector<Device> devices = devices_of(*nvml_);
  const int count = static_cast<int>(devices.size());
  for (int i = 0; i < count; ++i) list.devices.push_back(info_of(*nvml_, devices[static_cast<size_t>(i)], i));
  for (int a = 0; a < count; ++a) {
    for (int b = a + 1; b < count; ++b) list.links.push_back(link_of(*nvml_, devices, a, b));
  }
  return list;
}

std::vector<DeviceUse> DeviceProbe::use() const {
  std::vector<DeviceUse> all;
  for (const Device device : devices_of(*nvml_)) all.push_back(use_of(*nvml_, device, static_cast<int>(all.size())));
  return all;
}

}  // namespace gnn::device
