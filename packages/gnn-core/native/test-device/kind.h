#pragma once
// In what the programs of the tests differ: emulated/ or gpu/ has it.
#include <string>
#include <vector>

namespace check {

// The orders in which threads take turns; a GPU has its own.
std::vector<std::string> orders();
void set_order(const std::string& order);

// Makes the mistake "out-of-bounds", "use-after-give" or "host-access". @returns 0 when nobody noticed
int crash(const std::string& name);

}  // namespace check
