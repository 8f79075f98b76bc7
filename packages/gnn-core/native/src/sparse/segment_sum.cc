// Sums of rows that lie far apart. The sum of a block of columns stays in registers while the rows pass, and the rows
// of the segments to come are asked for meanwhile: segments are short, so a look within one would see too little.
#include <algorithm>

#include "gnn/runtime/isa.h"
#include "gnn/runtime/lanes.h"
#include "gnn/sparse/row_sum.h"

namespace gnn {
namespace {

// Vectors of one block of columns: their sums fill at most half of the registers.
constexpr int kBlock = 8;
constexpr int64_t kBytesAhead = 4096;
constexpr int64_t kMostAhead = 8;

struct Segment {
  int64_t first, last;
  float scale;
  bool accumulate;
};

GNN_INLINE float weight_of(const SegmentSums& sums, int64_t i) {
  const float weight = sums.entry_weights == nullptr ? 1.0f : sums.entry_weights[i];
  return sums.row_weights == nullptr ? weight : weight * sums.row_weights[sums.indices[i]];
}

// Columns [offset, offset + 16 vectors), the last vector beginning at `tail` instead, so that it ends with the row.
template <int vectors>
GNN_INLINE void sum_block(const RowPlaces& x, const SegmentSums& sums, const Segment& segment, int64_t offset,
                          int64_t tail, float* out) {
  Floats total[vectors] = {};
  for (int64_t i = segment.first; i < segment.last; ++i) {
    const float* row = x.row(sums.indices[i]);
    const float weight = weight_of(sums, i);
    for (int j = 0; j + 1 < vectors; ++j) total[j] += load_lanes(row + offset + j * kLanes) * weight;
    total[vectors - 1] += load_lanes(row + tail) * weight;
  }
  for (int j = 0; j < vectors; ++j) total[j] *= segment.scale;
  if (segment.accumulate) {
    // All before any is stored: the last two vectors may overlap.
    for (int j = 0; j + 1 < vectors; ++j) total[j] += load_lanes(out + offset + j * kLanes);
    total[vectors - 1] += load_lanes(out + tail);
  }
  for (int j = 0; j + 1 < vectors; ++j) store_lanes(total[j], out + offset + j * kLanes);
  store_lanes(total[vectors - 1], out + tail);
}

GNN_INLINE void sum_wide(const RowPlaces& x, const SegmentSums& sums, const Segment& segment, float* out) {
  const int64_t dim = x.dim;
  int64_t vectors = 0;
  for (int64_t offset = 0; offset < dim; offset += vectors * kLanes) {
    // A last block of one vector would overlap columns of the block before it, which are stored by then.
    const int64_t left = (dim - offset + kLanes - 1) / kLanes;
    vectors = left == kBlock + 1 ? kBlock - 1 : std::min<int64_t>(left, kBlock);
    const int64_t tail = std::min(offset + (vectors - 1) * kLanes, dim - kLanes);
    switch (vectors) {
      case 1: sum_block<1>(x, sums, segment, offset, tail, out); break;
      case 2: sum_block<2>(x, sums, segment, offset, tail, out); break;
      case 3: sum_block<3>(x, sums, segment, offset, tail, out); break;
      case 4: sum_block<4>(x, sums, segment, offset, tail, out); break;
      case 5: sum_block<5>(x, sums, segment, offset, tail, out); break;
      case 6: sum_block<6>(x, sums, segment, offset, tail, out); break;
      case 7: sum_block<7>(x, sums, segment, offset, tail, out); break;
      default: sum_block<8>(x, sums, segment, offset, tail, out);
    }
  }
}

GNN_INLINE void sum_narrow(const RowPlaces& x, const SegmentSums& sums, const Segment& segment, float* out) {
  const int64_t dim = x.dim;
  float total[kLanes] = {};
  for (int64_t i = segment.first; i < segment.last; ++i) {
    const float* row = x.row(sums.indices[i]);
    const float weight = weight_of(sums, i);
    for (int64_t d = 0; d < dim; ++d) total[d] += row[d] * weight;
  }
  for (int64_t d = 0; d < dim; ++d) out[d] = total[d] * segment.scale + (segment.accumulate ? out[d] : 0.0f);
}

}  // namespace

GNN_MULTIVERSION void sum_segments(const RowSource& source, const SegmentSums& sums, int64_t begin, int64_t end,
                                   float* out) {
  const bool mean = sums.mean;
  const int64_t accumulate_until = sums.accumulate_until;
  const RowPlaces x = source.places();
  const int64_t dim = x.dim, last = sums.indptr[end];
  const int64_t ahead = std::clamp<int64_t>(kBytesAhead / (dim * 4 + 1), 1, kMostAhead);
  for (int64_t s = begin; s < end; ++s) {
    const int64_t from = sums.indptr[s], to = sums.indptr[s + 1];
    for (int64_t i = from + ahead; i < to + ahead && i < last; ++i) {
      const float* row = x.row(sums.indices[i]);
      for (int64_t d = 0; d < dim; d += kLanes) __builtin_prefetch(row + d);
    }
    const float scale = !mean ? 1.0f : to == from ? 0.0f : 1.0f / static_cast<float>(to - from);
    const Segment segment{from, to, scale, s < accumulate_until};
    float* row = out + (s - begin) * dim;
    if (dim < kLanes) {
      sum_narrow(x, sums, segment, row);
    } else {
      sum_wide(x, sums, segment, row);
    }
  }
}

}  // namespace gnn
