// One pass with decoupled look-back (Merrill and Garland 2016): a block adds up its values, and then what the blocks
// before it have said of theirs, one after the other, until one knows the sum up to itself.
#include "gnn/cuda/sampling/exclusive_sum.h"

#include "gnn/device/array.h"
#include "gnn/device/block_scan.h"

namespace gnn::cuda {
namespace {

// What a block has said, in one word, so that sum and state are read together: its own total, then the sum up to it.
using Word = unsigned long long;
constexpr Word kOwnTotal = Word{1} << 32, kUpToHere = Word{2} << 32;

__device__ inline void say(Word* word, Word state, int32_t sum) {
  atomicExch(word, state | static_cast<uint32_t>(sum));
}

// The sum of the blocks before `block`. One thread calls it.
__device__ inline int32_t look_back(Word* words, int64_t block) {
  int32_t sum = 0;
  for (int64_t other = block - 1; other >= 0;) {
    const Word word = atomicAdd(words + other, Word{0});
    if (word < kOwnTotal) continue;  // it runs already: blocks are numbered in the order in which they begin
    sum += static_cast<int32_t>(static_cast<uint32_t>(word));
    if (word >= kUpToHere) break;
    --other;
  }
  return sum;
}

// A thread per value. words [blocks + 1] are zero; the last gives blocks their numbers.
__global__ void __launch_bounds__(kScanThreads)
    scan_kernel(int64_t count, const int32_t* values, int32_t* sums, Word* words) {
  DEVICE_SHARED(block_number, int64_t, [1]);
  DEVICE_SHARED(before_block, int32_t, [1]);
  if (threadIdx.x == 0) block_number[0] = static_cast<int64_t>(atomicAdd(words + gridDim.x, Word{1}));
  __syncthreads();
  const int64_t block = block_number[0], i = block * kScanThreads + threadIdx.x;
  int32_t total;
  const int32_t before = block_scan(i < count ? values[i] : 0, &total);
  if (threadIdx.x == 0) {
    if (block > 0) say(words + block, kOwnTotal, total);
    before_block[0] = look_back(words, block);
    say(words + block, kUpToHere, before_block[0] + total);
    if (block == gridDim.x - 1) sums[count] = before_block[0] + total;
  }
  __syncthreads();
  if (i < count) sums[i] = before_block[0] + before;
}

}  // namespace

void exclusive_sum(Stream& stream, int64_t count, const int32_t* values, int32_t* sums) {
  if (count == 0) return device::zero(sums, 1, stream);
  const unsigned blocks = device::blocks_for(count, kScanThreads);
  const device::Array<Word> words(stream, blocks + 1);
  device::zero(words.data(), blocks + 1, stream);
  device::launch(scan_kernel, {blocks, kScanThreads}, stream, count, values, sums, words.data());
}

}  // namespace gnn::cuda
