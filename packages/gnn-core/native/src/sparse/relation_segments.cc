// Counting sorts, whose order is that of the block: sums over a segment have one order.
#include "gnn/sparse/relation_segments.h"

#include <algorithm>
#include <vector>

namespace gnn {
namespace {

// Ends what is collected of each relation, given the number of segments of each.
void begin_lists(RelationLists& lists, const std::vector<int32_t>& segments, int64_t num_edges) {
  lists.relations.resize(segments.size() + 1);
  lists.relations[0] = 0;
  for (size_t r = 0; r < segments.size(); ++r) lists.relations[r + 1] = lists.relations[r] + segments[r];
  lists.rows.resize(lists.relations.back());
  lists.indptr.resize(lists.relations.back() + 1);
  lists.entries.resize(num_edges);
}

// Deals edges out to relations; they come by row, so that a segment ends where the row changes.
class Dealer {
 public:
  explicit Dealer(int64_t num_relations)
      : edges_(num_relations, 0), segments_(num_relations, 0), last_(num_relations, -1) {}

  void count(int32_t relation, int32_t row) {
    ++edges_[relation];
    segments_[relation] += last_[relation] != row;
    last_[relation] = row;
  }

  void begin(RelationLists& lists, int64_t num_edges) {
    begin_lists(lists, segments_, num_edges);
    int32_t edge = 0;
    for (size_t r = 0; r < edges_.size(); ++r) {
      segments_[r] = lists.relations[r];
      edge += edges_[r];
      edges_[r] = edge - edges_[r];
      last_[r] = -1;
    }
    lists.indptr.back() = edge;
  }

  void add(int32_t relation, int32_t row, int32_t entry, RelationLists& lists) {
    const int32_t at = edges_[relation]++;
    lists.entries[at] = entry;
    if (last_[relation] == row) return;
    last_[relation] = row;
    const int32_t segment = segments_[relation]++;
    lists.rows[segment] = row;
    lists.indptr[segment] = at;
  }

 private:
  std::vector<int32_t> edges_;
  std::vector<int32_t> segments_;
  std::vector<int32_t> last_;
};

}  // namespace

RelationLists relations_by_dst(const BlockView& block, const int32_t* types, int64_t num_relations) {
  const auto for_each = [&](const auto& visit) {
    for (int32_t dst = 0; dst < block.num_dst; ++dst) {
      for (int32_t e = block.indptr[dst]; e < block.indptr[dst + 1]; ++e) visit(types[e], dst, block.indices[e]);
    }
  };
  Dealer dealer(num_relations);
  for_each([&](int32_t relation, int32_t dst, int32_t) { dealer.count(relation, dst); });
  RelationLists lists;
  dealer.begin(lists, block.num_edges);
  for_each([&](int32_t relation, int32_t dst, int32_t src) { dealer.add(relation, dst, src, lists); });
  return lists;
}

RelationLists relations_by_src(const RelationSegments& by_dst, int64_t num_src) {
  const int64_t num_edges = by_dst.indptr[by_dst.num_segments];
  // The relation and the segment of each edge, by src.
  std::vector<int32_t> next(num_src + 1, 0), relation(num_edges), segment(num_edges), row(num_edges);
  for (int64_t i = 0; i < num_edges; ++i) ++next[by_dst.entries[i] + 1];
  for (int64_t src = 0; src < num_src; ++src) next[src + 1] += next[src];
  for (int32_t r = 0; r < by_dst.num_relations; ++r) {
    for (int32_t s = by_dst.relations[r]; s < by_dst.relations[r + 1]; ++s) {
      for (int32_t i = by_dst.indptr[s]; i < by_dst.indptr[s + 1]; ++i) {
        const int32_t at = next[by_dst.entries[i]]++;
        relation[at] = r;
        segment[at] = s - by_dst.relations[r];
        row[at] = by_dst.entries[i];
      }
    }
  }
  Dealer dealer(by_dst.num_relations);
  for (int64_t i = 0; i < num_edges; ++i) dealer.count(relation[i], row[i]);
  RelationLists lists;
  dealer.begin(lists, num_edges);
  for (int64_t i = 0; i < num_edges; ++i) dealer.add(relation[i], row[i], segment[i], lists);
  return lists;
}

}  // namespace gnn
