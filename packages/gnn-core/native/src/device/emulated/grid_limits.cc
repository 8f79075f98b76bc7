// What a GPU refuses to start: it says so at once, and where a grid depends on a size, only for that size.
#include <string>

#include "gnn/device/emulator.h"
#include "gnn/error.h"

namespace gnn::device::emulation {
namespace {

constexpr unsigned kMostBlocks = 0x7fffffffu, kMostBlocksBehind = 65535u;  // along x, and along y and z
constexpr unsigned kMostThreads = 1024, kMostThreadsDeep = 64;             // of a block, and along z
// More takes a call of cudaFuncSetAttribute, which no kernel of ours makes.
constexpr unsigned kMostSharedBytes = 48u << 10;

std::string text_of(dim3 extents) {
  return std::to_string(extents.x) + " x " + std::to_string(extents.y) + " x " + std::to_string(extents.z);
}

[[noreturn]] void refuse(const std::string& why) {
  throw Error("DEVICE_FAULT", "A kernel did not start: " + why + ".");
}

}  // namespace

void check(const Grid& grid) {
  const dim3 blocks = grid.blocks, threads = grid.threads;
  const uint64_t of_block = uint64_t{threads.x} * threads.y * threads.z;
  if (blocks.x == 0 || blocks.y == 0 || blocks.z == 0 || blocks.x > kMostBlocks || blocks.y > kMostBlocksBehind ||
      blocks.z > kMostBlocksBehind) {
    refuse("its grid has " + text_of(blocks) + " blocks; 1 to 2147483647 x 65535 x 65535 are possible");
  }
  if (of_block == 0 || of_block > kMostThreads || threads.z > kMostThreadsDeep) {
    refuse("its blocks have " + text_of(threads) + " threads; 1 to 1024 are possible, 64 along the last");
  }
  if (grid.shared_bytes > kMostSharedBytes) {
    refuse("its blocks have " + std::to_string(grid.shared_bytes) +
           " bytes of dynamic shared memory; 49152 are possible");
  }
}

}  // namespace gnn::device::emulation
