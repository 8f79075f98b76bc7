#pragma once
// A Gloo device whose connections listen on ports of a given range: what a firewall between hosts has to let through.
#include <gloo/transport/tcp/device.h>

#include <memory>

namespace gnn {

struct PortRange {
  int first;
  int last;
};

// Ranks of one host begin at different ports of the range, so that they seldom try the same one.
// Throws RANK_LOST when a port is wanted and none of the range is free.
std::shared_ptr<gloo::transport::Device> make_ports_device(const gloo::transport::tcp::attr& attributes,
                                                           PortRange ports, int rank);

}  // namespace gnn
