// NVML's C interface for two devices that are not there, the second of them sliced by MIG. HOPWISE_TEST_NVML says what
// is wrong with the driver: "old", "not-loaded", "denied", "lost"; nothing: all is well.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

struct Memory {
  unsigned long long total, free, used;
};
struct Utilization {
  unsigned gpu, memory;
};
struct Pci {
  char legacy_id[16];
  unsigned domain, bus, device, device_id, subsystem_id;
  char id[32];
};
enum { kSuccess = 0, kUninitialized = 1, kInvalidArgument = 2, kNotSupported = 3, kNoPermission = 4, kNotFound = 6,
       kInsufficientSize = 7, kNotLoaded = 9, kLost = 15 };

struct Device {
  const char *uuid, *name;
  unsigned long long total, free;
};
Device all[] = {
    {"GPU-11111111-2222-3333-4444-555555555555", "NVIDIA H200", 150754820096ull, 150000000000ull},
    {"GPU-66666666-7777-8888-9999-aaaaaaaaaaaa", "NVIDIA \"A100\"", 85899345920ull, 80000000000ull},
    {"MIG-bbbbbbbb-cccc-dddd-eeee-ffffffffffff", "NVIDIA A100 MIG 1g.10gb", 10468982784ull, 10000000000ull}};
int users = 0;

bool is(const char* state) {
  const char* const now = std::getenv("HOPWISE_TEST_NVML");
  return now != nullptr && std::strcmp(now, state) == 0;
}

int copy(const std::string& text, char* to, unsigned size) {
  if (users == 0) return kUninitialized;
  if (text.size() >= size) return kInsufficientSize;
  std::strcpy(to, text.c_str());
  return kSuccess;
}

}  // namespace

extern "C" {

int nvmlInit_v2() {
  if (is("not-loaded")) return kNotLoaded;
  if (is("denied")) return kNoPermission;
  ++users;
  return kSuccess;
}
int nvmlShutdown() { return users-- > 0 ? kSuccess : kUninitialized; }
const char* nvmlErrorString(int result) {
  return result == kNotLoaded ? "Driver Not Loaded" : result == kNoPermission ? "Insufficient Permissions"
       : result == kLost ? "GPU is lost" : "Unknown Error";
}
int nvmlSystemGetDriverVersion(char* text, unsigned size) {
  return copy(is("old") ? "535.183.01" : "580.65.06", text, size);
}
int nvmlSystemGetCudaDriverVersion_v2(int* version) { return *version = is("old") ? 12020 : 13000, kSuccess; }
int nvmlDeviceGetCount_v2(unsigned* count) { return *count = 2, users > 0 ? kSuccess : kUninitialized; }
int nvmlDeviceGetHandleByIndex_v2(unsigned index, Device** device) {
  if (index >= 2) return kInvalidArgument;
  *device = all + index;
  return is("lost") ? kLost : kSuccess;
}
int nvmlDeviceGetUUID(Device* device, char* text, unsigned size) { return copy(device->uuid, text, size); }
int nvmlDeviceGetName(Device* device, char* text, unsigned size) { return copy(device->name, text, size); }
int nvmlDeviceGetPciInfo_v3(Device* device, Pci* pci) {
  std::memset(pci, 0, sizeof *pci);
  std::snprintf(pci->id, sizeof pci->id, "00000000:%02X:00.0", 0x18 + static_cast<int>(device - all));
  return kSuccess;
}
int nvmlDeviceGetMemoryInfo(Device* device, Memory* memory) {
  *memory = {device->total, device->free, device->total - device->free};
  return kSuccess;
}
int nvmlDeviceGetCudaComputeCapability(Device* device, int* major, int* minor) {
  return *major = device == all ? 9 : 8, *minor = 0, kSuccess;
}
int nvmlDeviceGetMigMode(Device* device, unsigned* current, unsigned* pending) {
  if (device == all) return kNotSupported;
  return *current = *pending = 1, kSuccess;
}
int nvmlDeviceGetMaxMigDeviceCount(Device*, unsigned* count) { return *count = 7, kSuccess; }
int nvmlDeviceGetMigDeviceHandleByIndex(Device*, unsigned index, Device** slice) {
  if (index != 2) return kNotFound;
  return *slice = all + 2, kSuccess;
}
int nvmlDeviceGetTopologyCommonAncestor(Device*, Device*, int* level) { return *level = 40, kSuccess; }
int nvmlDeviceGetP2PStatus(Device*, Device*, int what, int* status) { return *status = what == 2 ? 0 : 5, kSuccess; }
int nvmlDeviceGetUtilizationRates(Device* device, Utilization* busy) {
  if (device != all) return kNotSupported;  // what a sliced device says
  return *busy = {97, 41}, kSuccess;
}
int nvmlDeviceGetPowerUsage(Device*, unsigned* milliwatts) { return *milliwatts = 412500, kSuccess; }
int nvmlDeviceGetEnforcedPowerLimit(Device*, unsigned* milliwatts) { return *milliwatts = 700000, kSuccess; }
int nvmlDeviceGetTemperature(Device*, int, unsigned* celsius) { return *celsius = 61, kSuccess; }
}
