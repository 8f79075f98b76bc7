#include "gnn/cuda/loss/k_vs_all.h"

#include <cmath>

#include "gnn/cuda/dense/sgemm.h"
#include "gnn/device/total.h"

namespace gnn::cuda {
namespace {

constexpr int kThreads = 128;
constexpr int64_t kFewestRows = 32;

// Scores [rows, candidates] of the queries from `first` on; a block of kThreads works on a row, its threads side by
// side in the candidates, in all of these kernels.
struct Scored {
  KvsAll op;
  int64_t first;
  float* scores;
  double* losses;  // [queries]

  __device__ int64_t query() const { return first + blockIdx.x; }
  __device__ float* row() const { return scores + blockIdx.x * op.num_candidates; }
};

// The sum over the threads of a block, and their highest; all threads call them, and get it.
__device__ inline double block_sum(double value) {
  DEVICE_SHARED(of_warps, double, [kThreads / 32]);
  value = warp_sum(value);
  __syncthreads();  // what an earlier call has left there was read
  if (lane_index() == 0) of_warps[threadIdx.x / 32] = value;
  __syncthreads();
  double sum = 0;
  for (const double of_warp : of_warps) sum += of_warp;
  return sum;
}

__device__ inline float block_max(float value) {
  DEVICE_SHARED(of_warps, float, [kThreads / 32]);
  value = warp_max(value);
  __syncthreads();
  if (lane_index() == 0) of_warps[threadIdx.x / 32] = value;
  __syncthreads();
  float highest = of_warps[0];
  for (const float of_warp : of_warps) highest = fmaxf(highest, of_warp);
  return highest;
}

// Those among a row's candidates that are its query's.
struct Group {
  const int32_t* group_of;
  int32_t group;
  __device__ bool has(int64_t candidate) const { return group_of == nullptr || group_of[candidate] == group; }
};

struct LogSum {
  float highest;
  double sum;  // of the exponentials of what is below the highest
};

// By one pass over the row, from a score that takes part: the sum of those exponentials.
__device__ inline LogSum log_sum(const Scored& scored, const Group& group, float known) {
  const float* const row = scored.row();
  float highest = known, sum = 0;
  for (int64_t c = threadIdx.x; c < scored.op.num_candidates; c += kThreads) {
    if (!group.has(c)) continue;
    const float score = row[c];
    if (score > highest) {
      sum = sum * expf(highest - score) + 1.0f;
      highest = score;
    } else {
      sum += expf(score - highest);
    }
  }
  const float of_block = block_max(highest);
  return {of_block, block_sum(static_cast<double>(sum * expf(highest - of_block)))};
}

// The softmax of a row of a query's own among the candidates that are not left out.
__global__ void __launch_bounds__(kThreads) own_softmax_kernel(Scored scored) {
  const KvsAll& op = scored.op;
  const int64_t query = scored.query(), at = query * op.dim;
  float* const row = scored.row();
  double product = 0;
  for (int64_t d = threadIdx.x; d < op.dim; d += kThreads)
    product += static_cast<double>(op.queries[at + d]) * op.own[at + d];
  const float own = static_cast<float>(block_sum(product));
  for (int64_t i = op.left_starts[query] + threadIdx.x; i < op.left_starts[query + 1]; i += kThreads)
    row[op.left[i]] = -INFINITY;
  __syncthreads();
  const LogSum found = log_sum(scored, {nullptr, 0}, own);
  const float of_own = expf(own - found.highest);
  const double sum = found.sum + of_own;
  const float scale = static_cast<float>(1.0 / sum), weight = of_own * scale - 1.0f;
  if (threadIdx.x == 0) scored.losses[query] = static_cast<double>(found.highest) - own + log(sum);
  for (int64_t c = threadIdx.x; c < op.num_candidates; c += kThreads) row[c] = expf(row[c] - found.highest) * scale;
  for (int64_t d = threadIdx.x; d < op.dim; d += kThreads) {
    op.d_queries[at + d] = weight * op.own[at + d];
    op.d_own[at + d] = weight * op.queries[at + d];
  }
}

struct Sums {
  double scores, count;
};

// A query's candidates, where smoothing spreads something over them: their scores' sum, and how many they are.
__device__ inline Sums sums_of(const Scored& scored, const Group& group) {
  double scores = 0, count = 0;
  for (int64_t c = threadIdx.x; c < scored.op.num_candidates; c += kThreads) {
    if (group.has(c)) scores += scored.row()[c], count += 1;
  }
  return {block_sum(scores), block_sum(count)};
}

// Scores become their logistic functions, less what is everyone's. The sum of log(1 + e^score).
__device__ inline double logistics(const Scored& scored, const Group& group, float everyones) {
  float* const row = scored.row();
  float sum = 0;
  for (int64_t c = threadIdx.x; c < scored.op.num_candidates; c += kThreads) {
    const float score = row[c], e = expf(-fabsf(score)), of_lower = e / (1.0f + e);
    if (group.has(c)) sum += fmaxf(score, 0.0f) + log1pf(e);
    row[c] = group.has(c) ? (score < 0.0f ? of_lower : 1.0f - of_lower) - everyones : 0.0f;
  }
  return block_sum(sum);
}

// Scores become their shares of the softmax, less what is everyone's. The logarithm of the sum of their exponentials.
__device__ inline double softmax(const Scored& scored, const Group& group, float everyones, float known) {
  float* const row = scored.row();
  const LogSum found = log_sum(scored, group, known);
  const float scale = static_cast<float>(1.0 / found.sum);
  for (int64_t c = threadIdx.x; c < scored.op.num_candidates; c += kThreads)
    row[c] = group.has(c) ? expf(row[c] - found.highest) * scale - everyones : 0.0f;
  return found.highest + log(found.sum);
}

// Targets that are candidates. What they take off their places is the same for each, so that it is in no order.
template <KvsAllKind kKind>
__global__ void __launch_bounds__(kThreads) targets_kernel(Scored scored) {
  const KvsAll& op = scored.op;
  const int64_t query = scored.query(), begin = op.starts[query], end = op.starts[query + 1];
  float* const row = scored.row();
  const int32_t known = begin < end ? op.targets[begin] : 0;
  const Group group{op.group_of, op.group_of == nullptr ? 0 : op.group_of[known]};
  const float share = (1.0f - op.smoothing) / (kKind == KvsAllKind::softmax ? static_cast<float>(end - begin) : 1.0f);
  double taken = 0;
  for (int64_t i = begin + threadIdx.x; i < end; i += kThreads)
    taken += share * static_cast<double>(row[op.targets[i]]);
  taken = block_sum(taken);
  float everyones = 0;
  if (op.smoothing > 0) {
    const Sums sums = sums_of(scored, group);
    everyones = static_cast<float>(op.smoothing / sums.count);
    taken += op.smoothing * (sums.scores / sums.count);
  }
  const float score = row[known];
  __syncthreads();  // all have read it
  const double sum = kKind == KvsAllKind::softmax ? softmax(scored, group, everyones, score)
                                                  : logistics(scored, group, everyones);
  if (threadIdx.x == 0) scored.losses[query] = sum - taken;
  __syncthreads();
  for (int64_t i = begin + threadIdx.x; i < end; i += kThreads) atomicAdd(row + op.targets[i], -share);
}

void make_gradients(Stream& stream, const Scored& scored, int64_t rows) {
  const bool is_binary = scored.op.kind == KvsAllKind::binary;
  const auto of_targets = is_binary ? targets_kernel<KvsAllKind::binary> : targets_kernel<KvsAllKind::softmax>;
  const device::Grid grid{static_cast<unsigned>(rows), kThreads};
  device::launch(scored.op.own == nullptr ? of_targets : own_softmax_kernel, grid, stream, scored);
}

struct LossOfQuery {
  const double* losses;
  __device__ double operator()(int64_t query) const { return losses[query]; }
};

}  // namespace

void k_vs_all(Stream& stream, const KvsAll& op, float* loss, int64_t most_scores) {
  const int64_t m = op.num_candidates, dim = op.dim;
  if (op.num_queries == 0) device::zero(op.d_candidates, m * dim, stream);
  const int64_t fitting = most_scores / (m < 1 ? 1 : m), wanted = fitting < kFewestRows ? kFewestRows : fitting;
  const int64_t at_once = wanted < op.num_queries ? wanted : op.num_queries;
  const device::Array<float> scores(stream, at_once * m);
  const device::Array<double> losses(stream, op.num_queries);
  for (int64_t first = 0; first < op.num_queries; first += at_once) {
    const int64_t left = op.num_queries - first, rows = left < at_once ? left : at_once;
    const float* const queries = op.queries + first * dim;
    sgemm(stream, {.trans_b = true, .m = rows, .n = m, .k = dim, .a = queries, .b = op.candidates, .c = scores.data()});
    make_gradients(stream, {op, first, scores.data(), losses.data()}, rows);
    sgemm(stream, {.m = rows,
                   .n = dim,
                   .k = m,
                   .a = scores.data(),
                   .b = op.candidates,
                   .beta = op.own == nullptr ? 0.0f : 1.0f,
                   .c = op.d_queries + first * dim});
    sgemm(stream, {.trans_a = true,
                   .m = m,
                   .n = dim,
                   .k = rows,
                   .a = scores.data(),
                   .b = queries,
                   .beta = first == 0 ? 0.0f : 1.0f,
                   .c = op.d_candidates});
  }
  sum_items(stream, op.num_queries, LossOfQuery{losses.data()}, StoreRounded{loss});
}

}  // namespace gnn::cuda
