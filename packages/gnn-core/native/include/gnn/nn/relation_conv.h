#pragma once
#include <cstdint>

#include "gnn/features/row_source.h"
#include "gnn/sparse/relation_segments.h"

namespace gnn {

// out_v = sum over relations r of m_vr weights_r, where m_vr is the sum, or the mean, of the rows of v's in-neighbours
// of relation r. Relation by relation: only rows that have edges of it are summed and multiplied, and what lies in
// memory is one chunk of sums, never a message of each edge.
struct RelationConv {
  const RelationSegments& by_dst;
  bool mean;
  int64_t num_dst;
  int64_t out_dim;
  const RowSource& x;    // [num_src, in_dim], undropped
  const float* weights;  // [num_relations, in_dim, out_dim]
  float* out;            // [num_dst, out_dim]
};
void relation_conv(const RelationConv& op);

// Sums again what the forward pass has summed, so that nothing is kept from it; beside that has one row per row with
// edges of a relation, for one relation at a time.
struct RelationConvGrad {
  const RelationSegments& by_dst;
  const RelationSegments* by_src;  // null where dx is
  bool mean;
  int64_t num_src;
  int64_t out_dim;
  const RowSource& x;
  const float* weights;
  const float* dy;       // [num_dst, out_dim]
  float* dx = nullptr;   // [num_src, in_dim]; null: not needed
  float* d_weights;      // [num_relations, in_dim, out_dim]
};
void relation_conv_grad(const RelationConvGrad& op);

}  // namespace gnn
