// The probe of devices, on a double of the driver's library (doubles/nvml.cc).
#include <unistd.h>

#include <cstdlib>

#include "check.h"
#include "doubles.h"
#include "gnn/device/devices.h"

namespace check {
namespace {

using gnn::device::Absence;
using gnn::device::DeviceProbe;

// How the probe fails where the driver is in this state.
std::string failure_in(const char* state) {
  setenv("HOPWISE_TEST_NVML", state, 1);
  std::string found = "nothing";
  try {
    DeviceProbe(path_of_double("nvml")).list();
  } catch (const gnn::device::NoDevices& error) {
    found = std::string(name_of(error.absence())) + ": " + error.what();
  }
  unsetenv("HOPWISE_TEST_NVML");
  return found;
}

void expect_text(const std::string& found, const std::string& expected) {
  expect(found == expected, "found \"" + found + "\", expected \"" + expected + "\"");
}

}  // namespace

DEVICE_TEST("the probe tells devices, their slices by MIG and what lies between them") {
  const gnn::device::DeviceList list = DeviceProbe(path_of_double("nvml")).list();
  expect_text(list.driver.version, "580.65.06");
  expect(list.driver.cuda == 13000 && list.devices.size() == 2 && list.links.size() == 1,
         "a driver, two devices, a link");
  const gnn::device::DeviceInfo &whole = list.devices[0], &sliced = list.devices[1];
  expect_text(whole.uuid, "GPU-11111111-2222-3333-4444-555555555555");
  expect_text(whole.pci, "00000000:18:00.0");
  expect(whole.memory_total == 150754820096 && whole.memory_free == 150000000000, "memory in bytes");
  expect(whole.capability_major == 9 && !whole.is_sliced && whole.slices.empty(), "one device in one piece");
  expect(sliced.is_sliced && sliced.slices.size() == 1, "of seven slices that are possible, one is there");
  expect_text(sliced.slices[0].uuid, "MIG-bbbbbbbb-cccc-dddd-eeee-ffffffffffff");
  expect(sliced.slices[0].memory_total == 10468982784, "a slice has its own memory");
  expect(list.links[0].a == 0 && list.links[0].b == 1 && list.links[0].has_nvlink, "NVLink");
  expect_text(list.links[0].path, "numa-node");
}

DEVICE_TEST("devices that NVLink joins are found by their addresses, however many digits these have") {
  const gnn::device::DeviceList list = DeviceProbe(path_of_double("nvml")).list();
  const auto are_joined = [&](const char* a, const char* b) { return are_joined_by_nvlink(list, a, b); };
  const std::string other = list.devices[1].pci, short_form = other.substr(4);
  expect(are_joined("0000:18:00.0", short_form.c_str()) && are_joined(other.c_str(), "0000:18:00.0"), "both ways");
  expect(!are_joined("0000:18:00.0", "0000:18:00.0"), "a device with itself");
  expect(!are_joined("0000:18:00.0", "0000:ff:00.0") && !are_joined("emulation", "emulation"), "unknown ones");
}

DEVICE_TEST("the probe tells what devices are doing, and leaves out what one does not tell") {
  const std::vector<gnn::device::DeviceUse> use = DeviceProbe(path_of_double("nvml")).use();
  expect(use.size() == 2 && use[0].busy_percent == 97u && use[0].memory_percent == 41u, "percents");
  expect(use[0].watts == 412.5 && use[0].watts_limit == 700.0 && use[0].celsius == 61u, "watts and degrees");
  expect(!use[1].busy_percent && !use[1].memory_percent && use[1].memory_free == 80000000000, "a sliced device");
}

DEVICE_TEST("the probe says why no device can be used") {
  expect_text(
      failure_in("old"),
      "driver-too-old: NVIDIA's driver 535.183.01 runs CUDA 12.2; the kernels need 13.0. Install driver 580 or newer.");
  expect(failure_in("not-loaded").starts_with("driver-not-loaded: The NVIDIA driver failed: Driver Not Loaded"),
         "not loaded");
  expect(failure_in("denied").starts_with("no-permission: "), "no permission");
  expect(failure_in("lost").starts_with("driver-failed: The NVIDIA driver failed: GPU is lost"),
         "a device that fell off");
  expect(message_of([] { DeviceProbe("libno-such-driver.so"); }).starts_with("No NVIDIA driver is installed here ("),
         "none");
  expect(message_of([] { DeviceProbe("libm.so.6"); }).starts_with("The driver's library has no nvmlInit_v2."),
         "another library");
}

}  // namespace check
