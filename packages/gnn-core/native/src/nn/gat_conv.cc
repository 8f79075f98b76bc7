// Forward attention, a chunk of dst rows at a time: scores, exponentials and dropout of all the chunk's edges go
// through vectors whatever the rows' degrees are, while the chunk's arrays stay in the first-level cache.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "gnn/nn/gat_conv.h"
#include "gnn/nn/gat_edges.h"
#include "gnn/random/philox_lanes.h"
#include "gnn/runtime/isa.h"
#include "gnn/runtime/memory.h"
#include "gnn/runtime/parallel.h"

namespace gnn {
namespace {

constexpr int64_t kRows = 64;
constexpr int64_t kHeadsPerPhilox = 8;
constexpr uint32_t kSign = 0x80000000u;

// The edges of dst rows [begin, end) one after the other, self-loops included; filled up to whole vectors.
struct ChunkEdges {
  int64_t begin, end;
  int64_t count;
  std::vector<int32_t> src;
  std::vector<uint32_t> src_ids, dst_ids;
};

void list_edges(const BlockView& block, const GatShape& shape, ChunkEdges& edges) {
  const int64_t first = first_gat_edge(block, edges.begin);
  edges.count = first_gat_edge(block, edges.end) - first;
  const auto padded = static_cast<size_t>((edges.count + kLanes - 1) / kLanes * kLanes);
  edges.src.assign(padded, 0);
  for (int64_t v = edges.begin; v < edges.end; ++v) {
    int32_t* row = edges.src.data() + (first_gat_edge(block, v) - first);
    std::copy(block.indices + block.indptr[v], block.indices + block.indptr[v + 1], row);
    row[block.degree(v)] = static_cast<int32_t>(v);
  }
  if (shape.threshold == 0) return;
  edges.src_ids.resize(padded);
  edges.dst_ids.assign(padded, 0);
  for (size_t i = 0; i < padded; ++i) edges.src_ids[i] = static_cast<uint32_t>(shape.src_ids[edges.src[i]]);
  for (int64_t v = edges.begin; v < edges.end; ++v) {
    uint32_t* row = edges.dst_ids.data() + (first_gat_edge(block, v) - first);
    std::fill(row, row + block.degree(v) + 1, static_cast<uint32_t>(shape.src_ids[v]));
  }
}

GNN_MULTIVERSION void score_rows(const GatShape& shape, const GatWeights& weights, const float* z, int64_t begin,
                                 int64_t end, int64_t num_dst, float* score_src, float* score_dst) {
  const int64_t heads = shape.heads, dim = shape.dim;
  for (int64_t u = begin; u < end; ++u) {
    for (int64_t h = 0; h < heads; ++h) {
      const float* row = z + (u * heads + h) * dim;
      score_src[u * heads + h] = dot_lanes(row, weights.src + h * dim, dim);
      if (u < num_dst) score_dst[u * heads + h] = dot_lanes(row, weights.dst + h * dim, dim);
    }
  }
}

// Scores minus the largest of their row and head; a stored edge from v to itself gives way to the self-loop.
GNN_INLINE void shifted_scores(const BlockView& block, const GatShape& shape, const int32_t* src, int64_t v,
                               int64_t heads, const float* score_src, const float* score_dst, float* scores) {
  const int64_t degree = block.degree(v);
  for (int64_t h = 0; h < heads; ++h) {
    float highest = -std::numeric_limits<float>::infinity();
    for (int64_t i = 0; i <= degree; ++i) {
      const float sum = score_src[src[i] * heads + h] + score_dst[v * heads + h];
      const float score = sum > 0.0f ? sum : shape.slope * sum;
      scores[i * heads + h] = score;
      highest = score > highest ? score : highest;
    }
    for (int64_t i = 0; i <= degree; ++i) scores[i * heads + h] -= highest;
    for (int64_t i = 0; i < degree; ++i) {
      if (src[i] == v) scores[i * heads + h] = -std::numeric_limits<float>::infinity();
    }
  }
}

GNN_MULTIVERSION void attend(const BlockView& block, const GatShape& shape, const ChunkEdges& edges,
                             const float* score_src, const float* score_dst, float* alpha) {
  const int64_t heads = shape.heads, first = first_gat_edge(block, edges.begin);
  for (int64_t v = edges.begin; v < edges.end; ++v) {
    const int64_t at = first_gat_edge(block, v) - first;
    const int32_t* src = edges.src.data() + at;
    if (heads == 1) {
      shifted_scores(block, shape, src, v, 1, score_src, score_dst, alpha + at);
    } else {
      shifted_scores(block, shape, src, v, heads, score_src, score_dst, alpha + at * heads);
    }
  }
  const int64_t count = edges.count * heads, whole = count / kLanes * kLanes;
  for (int64_t i = 0; i < whole; i += kLanes) store_lanes(exp_lanes(load_lanes(alpha + i)), alpha + i);
  if (whole < count) {
    float rest[kLanes] = {};
    std::copy(alpha + whole, alpha + count, rest);
    store_lanes(exp_lanes(load_lanes(rest)), rest);
    std::copy(rest, rest + (count - whole), alpha + whole);
  }
  for (int64_t v = edges.begin; v < edges.end; ++v) {
    float* row = alpha + (first_gat_edge(block, v) - first) * heads;
    const int64_t degree = block.degree(v);
    for (int64_t h = 0; h < heads; ++h) {
      float sum = 0.0f;
      for (int64_t i = 0; i <= degree; ++i) sum += row[i * heads + h];
      const float scale = 1.0f / sum;
      for (int64_t i = 0; i <= degree; ++i) row[i * heads + h] *= scale;
    }
  }
}

// Negates what dropout drops: the sign is free, as attention is not negative.
GNN_MULTIVERSION void mark_dropped(const GatShape& shape, const ChunkEdges& edges, float* alpha) {
  const int64_t heads = shape.heads;
  for (int64_t i = 0; i < edges.count; i += kLanes) {
    const int64_t here = std::min<int64_t>(kLanes, edges.count - i);
    for (int64_t group = 0; group * kHeadsPerPhilox < heads; ++group) {
      Words words[4];
      std::memcpy(words, edges.dst_ids.data() + i, sizeof(Words));
      std::memcpy(words + 1, edges.src_ids.data() + i, sizeof(Words));
      words[2] = Words{} + shape.key.epoch;
      words[3] = Words{} + shape.key.step;
      philox_lanes(words, shape.key.seed, shape.key.layer + 65536u * static_cast<uint32_t>(1 + group));
      const int64_t last = std::min(heads, (group + 1) * kHeadsPerPhilox);
      for (int64_t h = group * kHeadsPerPhilox; h < last; ++h) {
        const int64_t half = h % kHeadsPerPhilox;
        const Words bits = half % 2 == 0 ? words[half / 2] & 0xffffu : words[half / 2] >> 16;
        const Words signs = (Words)(bits < shape.threshold) & kSign;
        uint32_t flips[kLanes];
        std::memcpy(flips, &signs, sizeof flips);
        for (int64_t lane = 0; lane < here; ++lane) {
          uint32_t word;
          float* value = alpha + (i + lane) * heads + h;
          std::memcpy(&word, value, sizeof word);
          word |= flips[lane];
          std::memcpy(value, &word, sizeof word);
        }
      }
    }
  }
}

// out[d] += sum over edges of factors[i * heads] * z[src[i]][d] for the 16 columns from d on.
GNN_INLINE void sum_columns(const float* z, int64_t width, const int32_t* src, const float* factors, int64_t heads,
                            int64_t count, float* out) {
  Floats sum = load_lanes(out);
  for (int64_t i = 0; i < count; ++i) sum += load_lanes(z + src[i] * width) * factors[i * heads];
  store_lanes(sum, out);
}

GNN_MULTIVERSION void sum_messages(const BlockView& block, const GatShape& shape, const ChunkEdges& edges,
                                   const float* factors, const float* z, float* out) {
  const int64_t heads = shape.heads, dim = shape.dim, width = heads * dim;
  const int64_t out_width = shape.mean_heads ? dim : width, first = first_gat_edge(block, edges.begin);
  constexpr int64_t kAhead = 8;
  for (int64_t v = edges.begin; v < edges.end; ++v) {
    const int64_t at = first_gat_edge(block, v) - first, count = block.degree(v) + 1;
    const int32_t* src = edges.src.data() + at;
    for (int64_t i = at + kAhead; i < at + kAhead + count && i < edges.count; ++i) {
      for (int64_t d = 0; d < width; d += kLanes) __builtin_prefetch(z + edges.src[i] * width + d);
    }
    for (int64_t h = 0; h < heads; ++h) {
      const float *from = z + h * dim, *factor = factors + at * heads + h;
      float* to = out + v * out_width + (shape.mean_heads ? 0 : h * dim);
      int64_t d = 0;
      for (; d + kLanes <= dim; d += kLanes) sum_columns(from + d, width, src, factor, heads, count, to + d);
      if (d == dim) continue;
      for (int64_t i = 0; i < count; ++i) {
        const float* row = from + src[i] * width;
        for (int64_t c = d; c < dim; ++c) to[c] += factor[i * heads] * row[c];
      }
    }
  }
}

// The attention that reaches the output: after dropout, and divided by the heads when they are averaged.
GNN_MULTIVERSION void effective(const GatShape& shape, int64_t count, const float* alpha, float* factors) {
  const float scale = gat_scale(shape);
  for (int64_t i = 0; i < count; ++i) factors[i] = std::signbit(alpha[i]) ? 0.0f : alpha[i] * scale;
}

}  // namespace

void gat_conv(const GatConv& op) {
  const auto& [block, shape, weights, z, score_src, score_dst, alpha, out] = op;
  const int64_t heads = shape.heads, out_width = shape.mean_heads ? shape.dim : heads * shape.dim;
  parallel_for(block.num_src, kRows * 16, [&](int64_t begin, int64_t end) {
    score_rows(shape, weights, z, begin, end, block.num_dst, score_src, score_dst);
  });
  parallel_for(block.num_dst, kRows, [&](int64_t begin, int64_t end) {
    thread_local ChunkEdges edges;
    edges.begin = begin, edges.end = end;
    list_edges(block, shape, edges);
    float* of_chunk = alpha + first_gat_edge(block, begin) * heads;
    attend(block, shape, edges, score_src, score_dst, of_chunk);
    if (shape.threshold > 0) mark_dropped(shape, edges, of_chunk);
    Scratch factors(edges.count * heads);
    effective(shape, edges.count * heads, of_chunk, factors.data());
    std::memset(out + begin * out_width, 0, static_cast<size_t>((end - begin) * out_width) * sizeof(float));
    sum_messages(block, shape, edges, factors.data(), z, out);
  });
}

}  // namespace gnn
