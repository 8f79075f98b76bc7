#include <cstdio>

#include "gnn/device/devices.h"

namespace gnn::device {
namespace {

constexpr uint64_t kMemory = uint64_t{4} << 30;  // as much as the emulation has

}  // namespace

DeviceList emulated_devices(int count) {
  DeviceList list{{"emulation", kOldestCuda}, {}, {}};
  for (int i = 0; i < count; ++i) {
    char uuid[48], pci[24];
    std::snprintf(uuid, sizeof uuid, "GPU-00000000-0000-0000-0000-%012x", static_cast<unsigned>(i));
    std::snprintf(pci, sizeof pci, "00000000:%02X:00.0", static_cast<unsigned>(i + 1) & 0xffu);
    list.devices.push_back({i, uuid, "emulation", pci, kMemory, kMemory, 9, 0, false, {}});
    for (int other = 0; other < i; ++other) list.links.push_back({other, i, false, "host-bridge"});
  }
  return list;
}

std::vector<DeviceUse> emulated_use(int count) {
  std::vector<DeviceUse> all;
  for (int i = 0; i < count; ++i) all.push_back({i, kMemory, 0, 0, std::nullopt, std::nullopt, std::nullopt});
  return all;
}

}  // namespace gnn::device
