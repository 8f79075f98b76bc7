// Which GPUs this machine has, as lines of JSON. A process of its own: a driver that crashes takes nobody along.
//
//   hopwise-devices --json                  the list, then the process ends
//   hopwise-devices --json --watch 1000     the list, then what they do every 1000 ms, until its input is closed
//     --nvml PATH      another management library than the driver's libnvidia-ml.so.1
//     --emulated N     N devices of the emulation instead, for tests
//
// Lines are objects with a "kind": "driver", "device", "link", "use" or, at the end, "error".
// Ends with 0, with 1 after an error, with 2 when it was called wrongly.
#include <poll.h>
#include <unistd.h>

#include <charconv>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string>

#include "gnn/device/devices.h"

namespace {

using namespace gnn::device;

struct Options {
  std::string nvml = "libnvidia-ml.so.1";
  int watch = 0;
  int emulated = 0;
};

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    char escaped[8];
    if (c == '"' || c == '\\') {
      out += '\\', out += c;
    } else if (code < 0x20) {
      std::snprintf(escaped, sizeof escaped, "\\u%04x", code);
      out += escaped;
    } else {
      out += c;
    }
  }
  return out + "\"";
}

template <typename T>
std::string json(const std::optional<T>& value) {
  return value ? std::to_string(*value) : "null";
}

void print_line(const std::string& line) {
  std::printf("{%s}\n", line.c_str());
  std::fflush(stdout);
}

std::string slices_of(const DeviceInfo& device) {
  std::string out;
  for (const Slice& slice : device.slices) {
    out += (out.empty() ? "" : ",") + ("{\"uuid\":" + quoted(slice.uuid)) + ",\"name\":" + quoted(slice.name) +
           ",\"memoryTotal\":" + std::to_string(slice.memory_total) +
           ",\"memoryFree\":" + std::to_string(slice.memory_free) + "}";
  }
  return "[" + out + "]";
}

void print(const DeviceList& list) {
  print_line("\"kind\":\"driver\",\"version\":" + quoted(list.driver.version) +
             ",\"cuda\":" + std::to_string(list.driver.cuda));
  for (const DeviceInfo& device : list.devices) {
    print_line("\"kind\":\"device\",\"index\":" + std::to_string(device.index) + ",\"uuid\":" + quoted(device.uuid) +
               ",\"name\":" + quoted(device.name) + ",\"pci\":" + quoted(device.pci) +
               ",\"memoryTotal\":" + std::to_string(device.memory_total) +
               ",\"memoryFree\":" + std::to_string(device.memory_free) + ",\"computeCapability\":\"" +
               std::to_string(device.capability_major) + "." + std::to_string(device.capability_minor) +
               "\",\"sliced\":" + (device.is_sliced ? "true" : "false") + ",\"slices\":" + slices_of(device));
  }
  for (const Link& link : list.links) {
    print_line("\"kind\":\"link\",\"a\":" + std::to_string(link.a) + ",\"b\":" + std::to_string(link.b) +
               ",\"nvlink\":" + (link.has_nvlink ? "true" : "false") + ",\"path\":" + quoted(link.path));
  }
}

void print(const DeviceUse& use) {
  print_line("\"kind\":\"use\",\"index\":" + std::to_string(use.index) +
             ",\"memoryFree\":" + std::to_string(use.memory_free) + ",\"busyPercent\":" + json(use.busy_percent) +
             ",\"memoryPercent\":" + json(use.memory_percent) + ",\"watts\":" + json(use.watts) +
             ",\"wattsLimit\":" + json(use.watts_limit) + ",\"celsius\":" + json(use.celsius));
}

// Whether the input was closed within the time, which says that nobody listens any more.
bool is_closed_within(int milliseconds) {
  pollfd input{STDIN_FILENO, POLLIN, 0};
  if (poll(&input, 1, milliseconds) <= 0) return false;
  char ignored[256];
  return read(STDIN_FILENO, ignored, sizeof ignored) <= 0;
}

template <typename Use>
void watch(int milliseconds, const Use& use) {
  while (milliseconds > 0) {
    for (const DeviceUse& one : use()) print(one);
    if (is_closed_within(milliseconds)) return;
  }
}

void run(const Options& options) {
  if (options.emulated > 0) {
    print(emulated_devices(options.emulated));
    return watch(options.watch, [&] { return emulated_use(options.emulated); });
  }
  const DeviceProbe probe(options.nvml);
  print(probe.list());
  watch(options.watch, [&] { return probe.use(); });
}

// A whole number in [1, most], or 0.
int number(const char* text, int most) {
  int value = 0;
  const char* const end = text + std::strlen(text);
  const auto [stop, error] = std::from_chars(text, end, value);
  return error == std::errc() && stop == end && value <= most && value > 0 ? value : 0;
}

std::optional<Options> options_of(int argc, char** argv) {
  Options options;
  if (argc < 2 || std::strcmp(argv[1], "--json") != 0) return std::nullopt;
  for (int i = 2; i < argc; i += 2) {
    if (i + 1 == argc) return std::nullopt;
    const std::string name = argv[i];
    if (name == "--nvml") {
      options.nvml = argv[i + 1];
    } else if (name == "--watch" && number(argv[i + 1], 3'600'000) > 0) {
      options.watch = number(argv[i + 1], 3'600'000);
    } else if (name == "--emulated" && number(argv[i + 1], 64) > 0) {
      options.emulated = number(argv[i + 1], 64);
    } else {
      return std::nullopt;
    }
  }
  return options;
}

}  // namespace

int main(int argc, char** argv) {
  const std::optional<Options> options = options_of(argc, argv);
  if (!options) {
    std::fprintf(
        stderr, "hopwise-devices: expected --json [--watch MILLISECONDS] [--nvml PATH] [--emulated N], N at most 64\n");
    return 2;
  }
  try {
    run(*options);
  } catch (const NoDevices& error) {
    print_line("\"kind\":\"error\",\"code\":" + quoted(error.code()) +
               ",\"reason\":" + quoted(name_of(error.absence())) + ",\"message\":" + quoted(error.what()));
    return 1;
  }
  return 0;
}
