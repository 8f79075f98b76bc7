#pragma once
#include <cstdint>

#include "gnn/features/row_source.h"
#include "gnn/sparse/relation_segments.h"

namespace gnn {

// A layer on typed edges: out_v = act(sum over relations r of m_vr relations_r + x_v own_type(v) + bias_type(v)), where
// m_vr is the mean of the rows of v's in-neighbours of relation r. A chunk of dst rows at a time, which lie in an order
// in which rows that need the same products are beside each other (sparse/alike_rows.h): its rows stay in the
// second-level cache while all products are added to them, and only products of rows that have the edges are made.
struct TypedWeights {
  int64_t num_types;
  int64_t in_dim;
  int64_t out_dim;
  const float* relations;  // [num_relations, in_dim, out_dim]
  const float* own;        // [num_types, in_dim, out_dim]
  const float* bias;       // [num_types, out_dim]
  bool with_relu;
};

struct TypedRows {
  int64_t num_src;
  int64_t num_dst;
  const int32_t* order;            // [num_dst], dst rows
  const int32_t* types;            // [num_types + 1], where those of each type begin in `order`
  const RelationSegments& by_dst;  // its rows are positions in `order`
};

struct TypedConv {
  const TypedRows& rows;
  const TypedWeights& weights;
  const RowSource& x;      // [num_src, in_dim], undropped
  float* means = nullptr;  // [number of segments, in_dim], kept for the gradient; null: they are not
  float* out;              // [num_dst, out_dim]
};
void typed_conv(const TypedConv& op);

// The gradient of the means takes the place of those that were kept. Where none were, they are summed again, and for dx
// there is, beside the results, a row for each row and relation that has an edge.
struct TypedConvGrad {
  const TypedRows& rows;
  const TypedWeights& weights;
  const RowSource& x;
  float* means = nullptr;  // as they were kept; overwritten
  const float* out;      // read for the ReLU mask only
  const float* dy;       // [num_dst, out_dim]
  float* dx = nullptr;   // [num_src, in_dim]; null: not needed
  float* d_relations;    // [num_relations, in_dim, out_dim]
  float* d_own;          // [num_types, in_dim, out_dim]
  float* d_bias;         // [num_types, out_dim]
  uint32_t dropped = 0;  // threshold by which elements of x were dropped in place: dx is scaled as the kept ones were
};
void typed_conv_grad(const TypedConvGrad& op);

}  // namespace gnn
