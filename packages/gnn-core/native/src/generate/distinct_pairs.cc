#include "gnn/generate/distinct_pairs.h"

#include <algorithm>
#include <mutex>

#include "gnn/generate/keyed_random.h"
#include "gnn/runtime/parallel.h"

namespace gnn {
namespace {

constexpr int64_t kDrawChunk = 1 << 14, kNodeChunk = 1 << 12;
constexpr int kBinShift = 53 - 12;

int64_t key_of(int32_t dst, int32_t src) { return static_cast<int64_t>(dst) << 32 | src; }
int32_t dst_of(int64_t key) { return static_cast<int32_t>(key >> 32); }
int32_t src_of(int64_t key) { return static_cast<int32_t>(key & 0x7FFFFFFF); }
bool counts(int64_t key) { return src_of(key) < dst_of(key); }

// Keys in the order of their dst, and where the keys of each dst begin.
struct ByDst {
  std::vector<int64_t> offsets;
  std::vector<int32_t> src;
};

ByDst by_dst(const int64_t* keys, int64_t count, int32_t first_node, int32_t num_nodes) {
  ByDst sorted{std::vector<int64_t>(num_nodes + int64_t{1}, 0), std::vector<int32_t>(count)};
  for (int64_t i = 0; i < count; ++i) ++sorted.offsets[dst_of(keys[i]) - first_node + 1];
  for (int32_t v = 0; v < num_nodes; ++v) sorted.offsets[v + 1] += sorted.offsets[v];
  std::vector<int64_t> next(sorted.offsets.begin(), sorted.offsets.end() - 1);
  for (int64_t i = 0; i < count; ++i) sorted.src[next[dst_of(keys[i]) - first_node]++] = src_of(keys[i]);
  return sorted;
}

// Sorts every column, moves its distinct entries to its front and says how many there are.
std::vector<int64_t> dedupe_columns(ByDst& sorted, int32_t num_nodes) {
  std::vector<int64_t> lengths(num_nodes);
  parallel_for(num_nodes, kNodeChunk, [&](int64_t begin, int64_t end) {
    for (int64_t v = begin; v < end; ++v) {
      const auto from = sorted.src.begin() + sorted.offsets[v], to = sorted.src.begin() + sorted.offsets[v + 1];
      std::sort(from, to);
      lengths[v] = std::unique(from, to) - from;
    }
  });
  return lengths;
}

}  // namespace

uint64_t pair_rank(uint64_t seed, int64_t key) {
  const int32_t u = std::min(src_of(key), dst_of(key)), v = std::max(src_of(key), dst_of(key));
  return KeyedRandom(seed, Purpose::kRank, static_cast<uint64_t>(key_of(u, v))).bits() >> 11;
}

BucketedKeys draw_pairs(const PairSource& source, uint64_t first, int64_t count, int32_t bucket_nodes) {
  std::vector<int64_t> drawn(2 * count);
  parallel_for(count, kDrawChunk, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      int32_t u, v;
      source.draw(first + i, u, v);
      drawn[2 * i] = key_of(u, v);
      drawn[2 * i + 1] = key_of(v, u);
    }
  });
  const int64_t num_buckets = (source.num_nodes() + int64_t{bucket_nodes} - 1) / bucket_nodes;
  std::vector<int64_t> next(num_buckets + 1, 0);
  for (const int64_t key : drawn) ++next[dst_of(key) / bucket_nodes + 1];
  for (int64_t b = 0; b < num_buckets; ++b) next[b + 1] += next[b];
  BucketedKeys grouped{std::vector<int64_t>(drawn.size()), std::vector<double>(next.begin() + 1, next.end())};
  for (const int64_t key : drawn) grouped.keys[next[dst_of(key) / bucket_nodes]++] = key;
  return grouped;
}

DistinctKeys distinct_keys(const Bucket& bucket) {
  const auto [keys, count, first_node, num_nodes, seed] = bucket;
  ByDst sorted = by_dst(keys, count, first_node, num_nodes);
  std::vector<int64_t> ends = dedupe_columns(sorted, num_nodes);
  int64_t total = 0;
  for (int64_t& end : ends) end = total += end;
  DistinctKeys distinct{std::vector<int64_t>(total), std::vector<double>(kRankBins, 0)};
  std::mutex adding;
  parallel_for(num_nodes, kNodeChunk, [&](int64_t begin, int64_t end) {
    std::vector<int32_t> bins(kRankBins, 0);
    for (int64_t v = begin; v < end; ++v) {
      const int32_t* src = sorted.src.data() + sorted.offsets[v];
      for (int64_t at = v == 0 ? 0 : ends[v - 1]; at < ends[v]; ++at, ++src) {
        const int64_t key = distinct.keys[at] = key_of(first_node + static_cast<int32_t>(v), *src);
        if (counts(key)) ++bins[pair_rank(seed, key) >> kBinShift];
      }
    }
    std::lock_guard<std::mutex> lock(adding);
    for (int bin = 0; bin < kRankBins; ++bin) distinct.bins[bin] += bins[bin];
  });
  return distinct;
}

std::vector<double> ranks_in_bin(const Bucket& bucket, int bin) {
  std::vector<double> ranks;
  for (int64_t i = 0; i < bucket.count; ++i) {
    if (!counts(bucket.keys[i])) continue;
    const uint64_t rank = pair_rank(bucket.seed, bucket.keys[i]);
    if (rank >> kBinShift == static_cast<uint64_t>(bin)) ranks.push_back(static_cast<double>(rank));
  }
  return ranks;
}

Columns columns_of(const Bucket& bucket, double last_rank, int64_t first_edge) {
  const auto [keys, count, first_node, num_nodes, seed] = bucket;
  Columns columns{std::vector<int64_t>(num_nodes + int64_t{1}, 0), {}};
  columns.indices.reserve(count);
  columns.indptr[0] = first_edge;
  for (int64_t i = 0; i < count; ++i) {
    if (static_cast<double>(pair_rank(seed, keys[i])) > last_rank) continue;
    ++columns.indptr[dst_of(keys[i]) - first_node + 1];
    columns.indices.push_back(src_of(keys[i]));
  }
  for (int32_t v = 0; v < num_nodes; ++v) columns.indptr[v + 1] += columns.indptr[v];
  return columns;
}

}  // namespace gnn
