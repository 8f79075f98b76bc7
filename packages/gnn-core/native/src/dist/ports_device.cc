#include "ports_device.h"

#include <arpa/inet.h>
#include <gloo/transport/context.h>
#include <netinet/in.h>

#include <string>

#include "gnn/error.h"

namespace gnn {
namespace {

namespace tcp = gloo::transport::tcp;

bool is_taken(const std::exception& error) {
  return std::string(error.what()).find("Address already in use") != std::string::npos;
}

// Each pair of a context listens by itself, at the address that its device holds when the pair is made.
class PortsDevice : public tcp::Device {
 public:
  PortsDevice(const tcp::attr& attributes, PortRange ports, int rank)
      : tcp::Device(attributes), ports_(ports), next_((rank * 16) % size()) {}

  std::shared_ptr<gloo::transport::Context> createContext(int rank, int size) override;

  int size() const { return ports_.last - ports_.first + 1; }
  PortRange ports() const { return ports_; }

  void take_next_port() {
    // Const only to keep readers from changing it; nobody reads it but pairs being made, on this thread.
    auto& address = const_cast<sockaddr_storage&>(attr_.ai_addr);
    const auto port = htons(static_cast<uint16_t>(ports_.first + next_));
    if (address.ss_family == AF_INET6) {
      reinterpret_cast<sockaddr_in6&>(address).sin6_port = port;
    } else {
      reinterpret_cast<sockaddr_in&>(address).sin_port = port;
    }
    next_ = (next_ + 1) % size();
  }

 private:
  const PortRange ports_;
  int next_;
};

// Gloo's own context, with a port chosen before each pair is made.
class PortsContext : public gloo::transport::Context {
 public:
  PortsContext(std::shared_ptr<gloo::transport::Context> inner, std::shared_ptr<PortsDevice> device)
      : gloo::transport::Context(inner->rank, inner->size), inner_(std::move(inner)), device_(std::move(device)) {}

  std::unique_ptr<gloo::transport::Pair>& getPair(int rank) override { return inner_->getPair(rank); }

  std::unique_ptr<gloo::transport::Pair>& createPair(int rank) override {
    inner_->setTimeout(getTimeout());
    for (int tried = 0; tried < device_->size(); ++tried) {
      device_->take_next_port();
      try {
        return inner_->createPair(rank);
      } catch (const std::exception& error) {
        if (!is_taken(error)) throw;
      }
    }
    const auto [first, last] = device_->ports();
    throw Error("RANK_LOST", "No port from " + std::to_string(first) + " to " + std::to_string(last) +
                                 " is free; each rank needs one for every other rank.");
  }

  std::unique_ptr<gloo::transport::UnboundBuffer> createUnboundBuffer(void* memory, size_t bytes) override {
    inner_->setTimeout(getTimeout());
    return inner_->createUnboundBuffer(memory, bytes);
  }

 private:
  const std::shared_ptr<gloo::transport::Context> inner_;
  const std::shared_ptr<PortsDevice> device_;
};

std::shared_ptr<gloo::transport::Context> PortsDevice::createContext(int rank, int size) {
  auto self = std::static_pointer_cast<PortsDevice>(shared_from_this());
  return std::make_shared<PortsContext>(tcp::Device::createContext(rank, size), std::move(self));
}

}  // namespace

std::shared_ptr<gloo::transport::Device> make_ports_device(const tcp::attr& attributes, PortRange ports, int rank) {
  return std::make_shared<PortsDevice>(tcp::CreateDeviceAttr(attributes), ports, rank);
}

}  // namespace gnn
