#pragma once
// Edges by relation as arguments: the lists that an earlier call has made. What they lead to is checked.
#include "arguments.h"
#include "gnn/sparse/relation_segments.h"

namespace hopwise {

struct RelationSizes {
  int64_t num_src, num_dst, num_edges, num_relations, by_dst;
};

inline RelationSizes read_relation_sizes(Arguments& arguments) {
  RelationSizes sizes{};
  sizes.num_src = arguments.count("numSrc");
  sizes.num_dst = arguments.count("numDst");
  sizes.num_edges = arguments.count("numEdges");
  sizes.num_relations = arguments.count("numRelations");
  sizes.by_dst = arguments.count("numByDst");
  return sizes;
}

struct SegmentNames {
  const char *relations, *rows, *indptr, *entries;
};

struct SegmentLengths {
  int64_t relations, segments, edges;
};

inline gnn::RelationSegments read_segments(Arguments& arguments, const SegmentNames& names,
                                           const SegmentLengths& lengths, int64_t num_rows, int64_t num_entries) {
  gnn::RelationSegments segments{};
  segments.num_relations = lengths.relations;
  segments.num_segments = lengths.segments;
  segments.relations = arguments.offsets(names.relations, lengths.relations, lengths.segments);
  segments.rows = arguments.ids(names.rows, lengths.segments, num_rows);
  segments.indptr = arguments.offsets(names.indptr, lengths.segments, lengths.edges);
  segments.entries = arguments.ids(names.entries, lengths.edges, num_entries);
  return segments;
}

inline gnn::RelationSegments read_by_dst(Arguments& arguments, const RelationSizes& sizes) {
  return read_segments(arguments, {"relations", "rows", "indptr", "entries"},
                       {sizes.num_relations, sizes.by_dst, sizes.num_edges}, sizes.num_dst, sizes.num_src);
}

}  // namespace hopwise
