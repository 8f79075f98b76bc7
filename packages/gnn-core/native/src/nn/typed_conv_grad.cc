#include <cstring>

#include "gnn/dense/rows.h"
#include "gnn/dense/sgemm.h"
#include "gnn/nn/dropout.h"
#include "gnn/nn/typed_conv.h"
#include "gnn/runtime/memory.h"
#include "gnn/runtime/parallel.h"
#include "typed_rows.h"

namespace gnn {
namespace {

// The gradients of the parameters as sums over rows. A part is [biases | own weights | weights of relations].
struct TypedSums {
  const TypedConvGrad& op;
  float* d_means;  // [number of segments, in_dim]; null where dx is

  int64_t weight_size() const { return op.weights.in_dim * op.weights.out_dim; }
  int64_t bias_size() const { return op.weights.num_types * op.weights.out_dim; }
  int64_t own_size() const { return op.weights.num_types * weight_size(); }
  int64_t size() const { return bias_size() + own_size() + op.rows.by_dst.num_relations * weight_size(); }

  // dy of the chunk behind the activation, by position.
  void load_gradient(const TypedChunk& chunk, float* g) const {
    const int64_t dim = op.weights.out_dim;
    for (int64_t i = 0; i < chunk.size(); ++i) {
      const int64_t at = chunk.order()[i] * dim;
      if (op.weights.with_relu) {
        relu_grad(dim, op.dy + at, op.out + at, g + i * dim);
      } else {
        std::memcpy(g + i * dim, op.dy + at, static_cast<size_t>(dim) * sizeof(float));
      }
    }
  }

  void add_weight_gradient(int64_t rows, const float* x, const float* g, float* to) const {
    sgemm_serial({.trans_a = true, .m = op.weights.in_dim, .n = op.weights.out_dim, .k = rows, .a = x, .b = g,
                  .beta = 1.0f, .c = to});
  }

  void input_gradient(int64_t rows, const float* g, const float* weight, float* to) const {
    sgemm_serial({.trans_b = true, .m = rows, .n = op.weights.in_dim, .k = op.weights.out_dim, .a = g, .b = weight,
                  .c = to});
  }

  void add_own(const TypedChunk& chunk, const float* g, float* memory, float* part) const {
    const auto& [num_types, in_dim, out_dim, relations, own, bias, with_relu] = op.weights;
    chunk.each_type(num_types, [&](int64_t type, int64_t from, int64_t to) {
      const float* rows_g = g + (from - chunk.begin) * out_dim;
      add_column_sums(to - from, out_dim, rows_g, part + type * out_dim);
      add_weight_gradient(to - from, chunk.own_rows(op.x, from, to, memory), rows_g,
                          part + bias_size() + type * weight_size());
      if (op.dx == nullptr) return;
      const bool in_place = chunk.is_range(from, to);
      float* d_rows = in_place ? op.dx + op.rows.order[from] * in_dim : memory;
      input_gradient(to - from, rows_g, own + type * weight_size(), d_rows);
      for (int64_t i = from; !in_place && i < to; ++i) {
        std::memcpy(op.dx + op.rows.order[i] * in_dim, d_rows + (i - from) * in_dim,
                    static_cast<size_t>(in_dim) * sizeof(float));
      }
    });
  }

  void add_relations(const TypedChunk& chunk, const float* g, float* memory, float* part) const {
    const TypedWeights& w = op.weights;
    Scratch together(chunk.size() * w.out_dim);
    chunk.each_relation([&](int64_t relation, int64_t segment, int64_t count) {
      float* means = op.means == nullptr ? memory : op.means + segment * w.in_dim;
      if (op.means == nullptr) chunk.means(op.x, segment, count, means);
      const float* rows_g = chunk.at_segments(segment, count, w.out_dim, g, together.data());
      add_weight_gradient(count, means, rows_g, part + bias_size() + own_size() + relation * weight_size());
      if (d_means == nullptr) return;
      input_gradient(count, rows_g, w.relations + relation * weight_size(), d_means + segment * w.in_dim);
    });
  }

  void add_rows(int64_t begin, int64_t end, float* part) const {
    Scratch g(kTypedChunk * op.weights.out_dim), memory(kTypedChunk * op.weights.in_dim);
    for (int64_t row = begin; row < end; row += kTypedChunk) {
      const TypedChunk chunk{op.rows, row, std::min(end, row + kTypedChunk)};
      load_gradient(chunk, g.data());
      add_own(chunk, g.data(), memory.data(), part);
      add_relations(chunk, g.data(), memory.data(), part);
    }
  }

  // Adds a part to the results; the first one begins them.
  void take(const float* part, bool is_first) const {
    const auto take_sums = [&](int64_t count, float* to) {
      if (is_first) std::memcpy(to, part, static_cast<size_t>(count) * sizeof(float));
      else add_column_sums(1, count, part, to);
      part += count;
    };
    take_sums(bias_size(), op.d_bias);
    take_sums(own_size(), op.d_own);
    take_sums(op.rows.by_dst.num_relations * weight_size(), op.d_relations);
  }
};

// Parts are taken in their order whatever the number of threads, and no more of them have memory than these can fill.
void sum_over_rows(const TypedSums& sums) {
  const int64_t rows = sums.op.rows.num_dst, size = sums.size();
  const ReductionPlan plan = plan_reduction(rows);
  const int64_t at_once = std::min<int64_t>(plan.num_chunks, threads() == 1 ? 1 : 2 * threads());
  Scratch parts(at_once * size);
  for (int64_t first = 0; first < plan.num_chunks; first += at_once) {
    const int64_t count = std::min(at_once, plan.num_chunks - first);
    const int64_t from = first * plan.chunk, to = std::min(rows, (first + count) * plan.chunk);
    std::memset(parts.data(), 0, static_cast<size_t>(count * size) * sizeof(float));
    parallel_for(to - from, plan.chunk, [&](int64_t begin, int64_t end) {
      sums.add_rows(from + begin, from + end, parts.data() + begin / plan.chunk * size);
    });
    for (int64_t c = 0; c < count; ++c) sums.take(parts.data() + c * size, first + c == 0);
  }
}

// The segments that each src row is part of: counting sort, so that sums have one order.
struct SegmentsBySrc {
  Recycled<int32_t> indptr, segments;

  explicit SegmentsBySrc(const TypedRows& rows) : indptr(static_cast<size_t>(rows.num_src) + 1, 0) {
    const RelationSegments& by_dst = rows.by_dst;
    const int32_t num_edges = by_dst.indptr[by_dst.num_segments];
    segments.resize(static_cast<size_t>(num_edges));
    for (int32_t i = 0; i < num_edges; ++i) ++indptr[by_dst.entries[i] + 1];
    for (int64_t src = 0; src < rows.num_src; ++src) indptr[src + 1] += indptr[src];
    Recycled<int32_t> next(indptr.begin(), indptr.end());
    for (int64_t s = 0; s < by_dst.num_segments; ++s) {
      for (int32_t i = by_dst.indptr[s]; i < by_dst.indptr[s + 1]; ++i) {
        segments[next[by_dst.entries[i]]++] = static_cast<int32_t>(s);
      }
    }
  }
};

// dx[u] += the sum over the segments that u is part of of their gradients, each by its length
void add_to_sources(const TypedConvGrad& op, const float* d_means) {
  const RelationSegments& by_dst = op.rows.by_dst;
  const SegmentsBySrc by_src(op.rows);
  Scratch shares(by_dst.num_segments);
  for (int64_t s = 0; s < by_dst.num_segments; ++s) {
    shares.data()[s] = 1.0f / static_cast<float>(by_dst.indptr[s + 1] - by_dst.indptr[s]);
  }
  const int64_t dim = op.weights.in_dim;
  const float scale = op.dropped == 0 ? 1.0f : dropout_scale(op.dropped);
  const RowSource from(d_means, dim);
  const SegmentSums sums{.indptr = by_src.indptr.data(),
                         .indices = by_src.segments.data(),
                         .row_weights = shares.data(),
                         .accumulate_until = op.rows.num_dst};
  parallel_for(op.rows.num_src, kTypedChunk, [&](int64_t begin, int64_t end) {
    float* dx = op.dx + begin * dim;
    sum_segments(from, sums, begin, end, dx);
    if (op.dropped != 0) scale_row((end - begin) * dim, scale, dx, dx);
  });
}

}  // namespace

void typed_conv_grad(const TypedConvGrad& op) {
  const bool needs_memory = op.dx != nullptr && op.means == nullptr;
  Scratch memory(needs_memory ? op.rows.by_dst.num_segments * op.weights.in_dim : 0);
  float* d_means = needs_memory ? memory.data() : op.means;
  sum_over_rows({op, op.dx == nullptr ? nullptr : d_means});
  if (op.dx != nullptr) add_to_sources(op, d_means);
}

}  // namespace gnn
