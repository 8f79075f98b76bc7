#pragma once
// In what the programs of the tests differ: emulated/ or gpu/ has it.
#include <cstddef>
#include <string>
#include <vector>

namespace check {

// The orders in which threads take turns; a GPU has its own.
std::vector<std::string> orders();
void set_order(const std::string& order);

// After test `next - 1` has failed: makes a device usable again on which a kernel has failed. On a GPU that takes a new
// process, which takes this one's place and goes on with `next`.
void recover(size_t next, int failures);

// Makes a mistake that ends the process: "out-of-bounds", "use-after-give" or "host-access" in the emulation, where 0
// says that nobody noticed; "failing-kernel" on a GPU, where 0 says that the failure names its kernel.
int crash(const std::string& name);

}  // namespace check
