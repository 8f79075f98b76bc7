#pragma once
// From drawn pairs to the columns of a graph, one range of dst nodes ("bucket") at a time, so that the whole need
// never lie in memory. A pair u-v is stored as two keys dst << 32 | src, in the buckets of u and of v; what happens to
// it (repeats removed, surplus dropped) depends on the pair alone, so that both agree and buckets may be cut anyhow.
#include <cstdint>
#include <vector>

#include "gnn/generate/pair_source.h"

namespace gnn {

struct BucketedKeys {
  std::vector<int64_t> keys;  // grouped by bucket
  std::vector<double> ends;   // end of each bucket's group
};

// Draws [first, first + count), in both directions; bucket b holds the dst nodes [b * bucket_nodes, (b + 1) *
// bucket_nodes).
BucketedKeys draw_pairs(const PairSource& source, uint64_t first, int64_t count, int32_t bucket_nodes);

// Rank of a pair, below 2^53: the pairs of lowest rank stay when there are too many, any set of that size equally
// likely.
uint64_t pair_rank(uint64_t seed, int64_t key);

constexpr int kRankBins = 1 << 12;

struct DistinctKeys {
  std::vector<int64_t> keys;    // ascending, no two equal
  std::vector<double> bins;     // how many pairs (src < dst) have a rank in each of kRankBins equal bins
};

// Keys of one bucket, whose dst nodes are [first_node, first_node + num_nodes). Borrowed memory.
struct Bucket {
  const int64_t* keys;  // [count]
  int64_t count;
  int32_t first_node;
  int32_t num_nodes;
  uint64_t seed;
};

DistinctKeys distinct_keys(const Bucket& bucket);

// Ranks of the pairs (src < dst) in one bin.
std::vector<double> ranks_in_bin(const Bucket& bucket, int bin);

struct Columns {
  std::vector<int64_t> indptr;   // [num_nodes + 1], from first_edge
  std::vector<int32_t> indices;  // src, ascending inside a column
};

// The columns of the pairs of rank up to `last_rank`; the bucket's keys as distinct_keys returns them.
Columns columns_of(const Bucket& bucket, double last_rank, int64_t first_edge);

}  // namespace gnn
