#pragma once
// A chunk of consecutive positions in the order of typed rows: what both passes of typed_conv walk.
#include <algorithm>
#include <cstring>

#include "gnn/nn/typed_conv.h"
#include "gnn/sparse/row_sum.h"

namespace gnn {

// Rows of one chunk: what belongs to them stays in the second-level cache.
constexpr int64_t kTypedChunk = 384;

struct TypedChunk {
  const TypedRows& rows;
  int64_t begin, end;  // positions

  int64_t size() const { return end - begin; }
  const int32_t* order() const { return rows.order + begin; }

  // Whether positions [from, to) are rows that lie one after the other.
  bool is_range(int64_t from, int64_t to) const {
    for (int64_t i = from + 1; i < to; ++i) {
      if (rows.order[i] != rows.order[from] + (i - from)) return false;
    }
    return true;
  }

  // Calls visit(type, from, to) for the positions of each type.
  template <typename Visit>
  void each_type(int64_t num_types, const Visit& visit) const {
    for (int64_t t = 0; t < num_types; ++t) {
      const int64_t from = std::max<int64_t>(begin, rows.types[t]), to = std::min<int64_t>(end, rows.types[t + 1]);
      if (from < to) visit(t, from, to);
    }
  }

  // Calls visit(relation, first segment, their number) for each relation that leads into rows of the chunk.
  template <typename Visit>
  void each_relation(const Visit& visit) const {
    const RelationSegments& by_dst = rows.by_dst;
    for (int64_t r = 0; r < by_dst.num_relations; ++r) {
      const int32_t* last = by_dst.rows + by_dst.relations[r + 1];
      const int32_t* from = std::lower_bound(by_dst.rows + by_dst.relations[r], last, begin);
      const int32_t* to = std::lower_bound(from, last, end);
      if (from < to) visit(r, static_cast<int64_t>(from - by_dst.rows), static_cast<int64_t>(to - from));
    }
  }

  // Whether these segments are those of positions one after the other.
  bool is_run(int64_t segment, int64_t count) const {
    return rows.by_dst.rows[segment + count - 1] - rows.by_dst.rows[segment] == count - 1;
  }

  // Rows [count, dim] of the chunk's matrix at the positions of segments: in place where they are a run, else copied.
  const float* at_segments(int64_t segment, int64_t count, int64_t dim, const float* matrix, float* copied) const {
    const int32_t* at = rows.by_dst.rows + segment;
    if (is_run(segment, count)) return matrix + (at[0] - begin) * dim;
    for (int64_t i = 0; i < count; ++i) {
      std::memcpy(copied + i * dim, matrix + (at[i] - begin) * dim, static_cast<size_t>(dim) * sizeof(float));
    }
    return copied;
  }

  void to_segments(int64_t segment, int64_t count, int64_t dim, const float* from, float* matrix) const {
    const int32_t* at = rows.by_dst.rows + segment;
    for (int64_t i = 0; i < count; ++i) {
      std::memcpy(matrix + (at[i] - begin) * dim, from + i * dim, static_cast<size_t>(dim) * sizeof(float));
    }
  }

  // The dst rows at positions [from, to) of x: in place or copied.
  const float* own_rows(const RowSource& x, int64_t from, int64_t to, float* copied) const {
    const RowPlaces places = x.places();
    if (places.ids == nullptr && places.rows == nullptr && is_range(from, to)) return places.row(rows.order[from]);
    constexpr int64_t kAhead = 8;
    for (int64_t i = from; i < to; ++i) {
      if (i + kAhead < to) {
        const float* ahead = places.row(rows.order[i + kAhead]);
        for (int64_t d = 0; d < x.dim(); d += 16) __builtin_prefetch(ahead + d);
      }
      std::memcpy(copied + (i - from) * x.dim(), places.row(rows.order[i]),
                  static_cast<size_t>(x.dim()) * sizeof(float));
    }
    return copied;
  }

  // Means of the neighbours of segments [segment, segment + count).
  void means(const RowSource& x, int64_t segment, int64_t count, float* out) const {
    sum_segments(x, {.indptr = rows.by_dst.indptr, .indices = rows.by_dst.entries, .mean = true}, segment,
                 segment + count, out);
  }
};

}  // namespace gnn
