#include "device/probe/nvml.h"

namespace gnn::device {
namespace {

constexpr const char* kNewDriver = " Install NVIDIA's driver 580 or newer.";

Absence absence_of(int result) {
  switch (result) {
    case nvml::kDriverNotLoaded: return Absence::kDriverNotLoaded;
    case nvml::kNoPermission: return Absence::kNoPermission;
    default: return Absence::kDriverFailed;
  }
}

std::string advice_for(int result) {
  switch (result) {
    case nvml::kDriverNotLoaded: return " Load the driver's kernel module, or let the container use the devices.";
    case nvml::kNoPermission: return " Let this user read and write /dev/nvidia*.";
    case nvml::kMismatch: return " The driver was updated while the old one runs: restart the machine.";
    default: return " Run nvidia-smi to see what is wrong with the driver.";
  }
}

}  // namespace

const char* name_of(Absence absence) {
  switch (absence) {
    case Absence::kNoDriver: return "no-driver";
    case Absence::kDriverNotLoaded: return "driver-not-loaded";
    case Absence::kDriverTooOld: return "driver-too-old";
    case Absence::kNoPermission: return "no-permission";
    case Absence::kDriverFailed: break;
  }
  return "driver-failed";
}

template <typename Function>
void Nvml::find(Function*& function, const char* name) {
  function = library_.find<Function>(name);
  if (function != nullptr) return;
  throw NoDevices(Absence::kDriverTooOld, std::string("The driver's library has no ") + name + "." + kNewDriver);
}

Nvml::Nvml(const std::string& library) : library_({library}) {
  if (!library_.is_open()) {
    throw NoDevices(Absence::kNoDriver, "No NVIDIA driver is installed here (" + library_.why() + ")." + kNewDriver);
  }
  find(start_, "nvmlInit_v2");
  find(stop_, "nvmlShutdown");
  find(text_, "nvmlErrorString");
  find(driver_version, "nvmlSystemGetDriverVersion");
  find(cuda_version, "nvmlSystemGetCudaDriverVersion_v2");
  find(count, "nvmlDeviceGetCount_v2");
  find(by_index, "nvmlDeviceGetHandleByIndex_v2");
  find(uuid, "nvmlDeviceGetUUID");
  find(name, "nvmlDeviceGetName");
  find(pci, "nvmlDeviceGetPciInfo_v3");
  find(memory, "nvmlDeviceGetMemoryInfo");
  find(capability, "nvmlDeviceGetCudaComputeCapability");
  find(mig_mode, "nvmlDeviceGetMigMode");
  find(max_slices, "nvmlDeviceGetMaxMigDeviceCount");
  find(slice, "nvmlDeviceGetMigDeviceHandleByIndex");
  find(common_ancestor, "nvmlDeviceGetTopologyCommonAncestor");
  find(peer_status, "nvmlDeviceGetP2PStatus");
  find(utilization, "nvmlDeviceGetUtilizationRates");
  find(power, "nvmlDeviceGetPowerUsage");
  find(power_limit, "nvmlDeviceGetEnforcedPowerLimit");
  find(temperature, "nvmlDeviceGetTemperature");
  check(start_(), "nvmlInit_v2");
}

Nvml::~Nvml() { stop_(); }

void Nvml::check(int result, const char* call) const {
  if (result == nvml::kSuccess) return;
  throw NoDevices(absence_of(result),
                  "The NVIDIA driver failed: " + std::string(text_(result)) + " (" + call + ")." + advice_for(result));
}

}  // namespace gnn::device
