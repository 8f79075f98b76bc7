#pragma once
#include "gnn/device/stream.h"
#include "gnn/loss/k_vs_all.h"

namespace gnn::cuda {

using device::Stream;

// The most scores that a device has at a time: 128 MiB of them, unless 32 rows are more.
constexpr int64_t kMostScores = int64_t{1} << 25;

// The twin of gnn/loss/k_vs_all.h: products of blocks of queries with all candidates, and between them a kernel that
// makes each row of scores its loss and its gradient, in place. Products go to cuBLASLt, which is three times as fast
// as products of our own would be inside of one kernel. The loss stays on the device, and all sums have one order. A
// query without targets has its log-sum alone.
void k_vs_all(Stream& stream, const KvsAll& op, float* loss, int64_t most_scores = kMostScores);

}  // namespace gnn::cuda
