#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>

#include "gnn/device/devices.h"

namespace gnn::device {
namespace {

using Place = std::array<unsigned, 3>;  // domain, bus, device

// NVML and the runtime write domains with eight digits and with four.
std::optional<Place> place_of(const std::string& address) {
  Place place{};
  if (std::sscanf(address.c_str(), "%x:%x:%x", &place[0], &place[1], &place[2]) != 3) return std::nullopt;
  return place;
}

int index_of(const DeviceList& list, const std::string& address) {
  const auto place = place_of(address);
  const auto found = std::find_if(list.devices.begin(), list.devices.end(),
                                  [&](const DeviceInfo& info) { return place && place_of(info.pci) == place; });
  return found == list.devices.end() ? -1 : found->index;
}

}  // namespace

bool are_joined_by_nvlink(const DeviceList& list, const std::string& address, const std::string& other) {
  const auto [a, b] = std::minmax({index_of(list, address), index_of(list, other)});
  return std::any_of(list.links.begin(), list.links.end(),
                     [a = a, b = b](const Link& link) { return link.a == a && link.b == b && link.has_nvlink; });
}

}  // namespace gnn::device
