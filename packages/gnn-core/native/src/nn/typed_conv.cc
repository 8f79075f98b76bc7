#include "gnn/nn/typed_conv.h"

#include <cstring>

#include "gnn/dense/rows.h"
#include "gnn/dense/sgemm.h"
#include "gnn/runtime/memory.h"
#include "gnn/runtime/parallel.h"
#include "typed_rows.h"

namespace gnn {
namespace {

struct ChunkForward {
  const TypedConv& op;
  TypedChunk chunk;
  float* out;  // [rows of the chunk, out_dim], by position

  void begin_with_bias() const {
    const TypedWeights& w = op.weights;
    chunk.each_type(w.num_types, [&](int64_t type, int64_t from, int64_t to) {
      fill_rows(to - from, w.out_dim, w.bias + type * w.out_dim, out + (from - chunk.begin) * w.out_dim);
    });
  }

  void add_product(int64_t rows, const float* a, const float* weight, float* c) const {
    const TypedWeights& w = op.weights;
    sgemm_serial({.m = rows, .n = w.out_dim, .k = w.in_dim, .a = a, .b = weight, .beta = 1.0f, .c = c});
  }

  void add_own(float* memory) const {
    const TypedWeights& w = op.weights;
    chunk.each_type(w.num_types, [&](int64_t type, int64_t from, int64_t to) {
      add_product(to - from, chunk.own_rows(op.x, from, to, memory), w.own + type * w.in_dim * w.out_dim,
                  out + (from - chunk.begin) * w.out_dim);
    });
  }

  // Rows that lie apart are brought together and back: a row's product is added to it in one way, wherever it lies.
  void add_relations(float* memory) const {
    const TypedWeights& w = op.weights;
    Scratch together(chunk.size() * w.out_dim);
    chunk.each_relation([&](int64_t relation, int64_t segment, int64_t count) {
      float* means = op.means == nullptr ? memory : op.means + segment * w.in_dim;
      chunk.means(op.x, segment, count, means);
      float* to = const_cast<float*>(chunk.at_segments(segment, count, w.out_dim, out, together.data()));
      add_product(count, means, w.relations + relation * w.in_dim * w.out_dim, to);
      if (to == together.data()) chunk.to_segments(segment, count, w.out_dim, to, out);
    });
  }
};

}  // namespace

void typed_conv(const TypedConv& op) {
  const int64_t in_dim = op.weights.in_dim, out_dim = op.weights.out_dim;
  parallel_for(op.rows.num_dst, kTypedChunk, [&](int64_t begin, int64_t end) {
    const TypedChunk chunk{op.rows, begin, end};
    const bool in_place = chunk.is_range(begin, end);
    Scratch memory(chunk.size() * in_dim), apart(in_place ? 0 : chunk.size() * out_dim);
    const ChunkForward forward{op, chunk, in_place ? op.out + chunk.order()[0] * out_dim : apart.data()};
    forward.begin_with_bias();
    forward.add_own(memory.data());
    forward.add_relations(memory.data());
    if (op.weights.with_relu) relu(chunk.size() * out_dim, forward.out);
    for (int64_t i = 0; !in_place && i < chunk.size(); ++i) {
      std::memcpy(op.out + chunk.order()[i] * out_dim, forward.out + i * out_dim,
                  static_cast<size_t>(out_dim) * sizeof(float));
    }
  });
}

}  // namespace gnn
