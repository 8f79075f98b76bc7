#include "gnn/device/emulation.h"
#include "kind.h"

namespace check {

using gnn::device::emulation::Order;

std::vector<std::string> orders() { return {"forward", "backward", "shuffled"}; }

void set_order(const std::string& order) {
  gnn::device::emulation::set_order(order == "forward"    ? Order::kForward
                                    : order == "backward" ? Order::kBackward
                                                          : Order::kShuffled);
}

void recover(size_t, int) { gnn::device::emulation::reset_device(); }

}  // namespace check
