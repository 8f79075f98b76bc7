#pragma once
// What is called of NVML, declared here: neither NVIDIA's header nor its library is needed to build. From nvml.h of
// CUDA 12.2; NVML keeps old functions for ever, and newer ones have other names.
#include <string>

#include "gnn/device/devices.h"
#include "gnn/device/shared_library.h"

namespace gnn::device {

namespace nvml {

enum Result : int {
  kSuccess = 0,
  kNotSupported = 3,
  kNoPermission = 4,
  kNotFound = 6,
  kDriverNotLoaded = 9,
  kMismatch = 18,  // the driver was updated, and its old kernel module still runs
};
struct Handle;
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
constexpr int kTemperatureOfGpu = 0, kPeerByNvlink = 2, kPeerIsPossible = 0;

}  // namespace nvml

class Nvml {
 public:
  explicit Nvml(const std::string& library);
  ~Nvml();
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;

  // Throws NoDevices unless the call succeeded.
  void check(int result, const char* call) const;

  using Device = nvml::Handle*;
  int (*driver_version)(char*, unsigned);
  int (*cuda_version)(int*);
  int (*count)(unsigned*);
  int (*by_index)(unsigned, Device*);
  int (*uuid)(Device, char*, unsigned);
  int (*name)(Device, char*, unsigned);
  int (*pci)(Device, nvml::Pci*);
  int (*memory)(Device, nvml::Memory*);
  int (*capability)(Device, int*, int*);
  int (*mig_mode)(Device, unsigned* current, unsigned* pending);
  int (*max_slices)(Device, unsigned*);
  int (*slice)(Device, unsigned, Device*);
  int (*common_ancestor)(Device, Device, int*);
  int (*peer_status)(Device, Device, int, int*);
  int (*utilization)(Device, nvml::Utilization*);
  int (*power)(Device, unsigned* milliwatts);
  int (*power_limit)(Device, unsigned* milliwatts);
  int (*temperature)(Device, int, unsigned*);

 private:
  template <typename Function>
  void find(Function*& function, const char* name);

  SharedLibrary library_;
  int (*start_)();
  int (*stop_)();
  const char* (*text_)(int);
};

}  // namespace gnn::device
