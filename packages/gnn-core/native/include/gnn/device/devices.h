#pragma once
// Which NVIDIA devices this machine has, how they are connected, and what they are doing, as the driver's management
// library (NVML) tells it. No CUDA context is made: looking costs no device memory.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gnn/error.h"

namespace gnn::device {

// Why no device can be used; DEVICE_NOT_AVAILABLE.
enum class Absence { kNoDriver, kDriverNotLoaded, kDriverTooOld, kNoPermission, kDriverFailed };
class NoDevices : public Error {
 public:
  NoDevices(Absence absence, const std::string& message) : Error("DEVICE_NOT_AVAILABLE", message), absence_(absence) {}
  Absence absence() const { return absence_; }

 private:
  Absence absence_;
};
// "no-driver", "driver-not-loaded", "driver-too-old", "no-permission" or "driver-failed"
const char* name_of(Absence absence);

// The oldest CUDA version (1000 major + 10 minor) of a driver that runs our kernels: that of the runtime they are built
// with, which is 13 and needs driver 580.
constexpr int kOldestCuda = 13000;

struct DriverVersion {
  std::string version;  // "580.65.06"
  int cuda = 0;         // newest that it runs: 1000 major + 10 minor
};

// A part of a device by MIG, which programs use as a device of its own.
struct Slice {
  std::string uuid;  // "MIG-…"
  std::string name;
  uint64_t memory_total = 0;  // bytes
  uint64_t memory_free = 0;
};

struct DeviceInfo {
  int index = 0;
  std::string uuid;  // "GPU-…": what CUDA_VISIBLE_DEVICES takes
  std::string name;
  std::string pci;            // domain:bus:device.function
  uint64_t memory_total = 0;  // bytes
  uint64_t memory_free = 0;
  int capability_major = 0, capability_minor = 0;
  bool is_sliced = false;  // by MIG: its slices are used, not the device itself
  std::vector<Slice> slices;
};

// What lies between two devices.
struct Link {
  int a = 0, b = 0;  // indices, a < b
  bool has_nvlink = false;
  std::string path;  // over PCIe: "board", "switch", "switches", "host-bridge", "numa-node", "system"; "unknown"
};

// What a device is doing; nothing where it does not tell.
struct DeviceUse {
  int index = 0;
  uint64_t memory_free = 0;                // bytes
  std::optional<unsigned> busy_percent;    // of the last moments, in which a kernel ran
  std::optional<unsigned> memory_percent;  // of the last moments, in which memory was read or written
  std::optional<double> watts, watts_limit;
  std::optional<unsigned> celsius;
};

struct DeviceList {
  DriverVersion driver;
  std::vector<DeviceInfo> devices;
  std::vector<Link> links;
};

class Nvml;

class DeviceProbe {
 public:
  // Opens the library, by default the driver's own. Throws NoDevices.
  explicit DeviceProbe(const std::string& library = "libnvidia-ml.so.1", int oldest_cuda = kOldestCuda);
  ~DeviceProbe();

  // Both throw NoDevices when the driver fails.
  DeviceList list() const;
  std::vector<DeviceUse> use() const;

 private:
  std::unique_ptr<Nvml> nvml_;
  DriverVersion driver_;
};

// Whether NVLink joins the devices at these addresses of the bus; false of one device, and where nobody knows.
bool are_joined_by_nvlink(const DeviceList& list, const std::string& address, const std::string& other);

// A list of devices of the emulation, for tests of what stands above.
DeviceList emulated_devices(int count);
std::vector<DeviceUse> emulated_use(int count);

}  // namespace gnn::device
