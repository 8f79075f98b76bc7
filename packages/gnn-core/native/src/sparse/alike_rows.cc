#include "gnn/sparse/alike_rows.h"

#include <algorithm>
#include <vector>

namespace gnn {
namespace {

// Relations that rows are told apart by: of more, the patterns would be as many as the rows.
constexpr int64_t kMostBits = 8;

// A number of each dst row: its type above a bit for each of the first relations that lead into it.
Recycled<int32_t> patterns(const BlockView& block, const int32_t* relations, const int32_t* row_types, int64_t bits) {
  Recycled<int32_t> keys(static_cast<size_t>(block.num_dst));
  for (int64_t dst = 0; dst < block.num_dst; ++dst) {
    int32_t key = row_types == nullptr ? 0 : row_types[dst] << bits;
    for (int32_t e = block.indptr[dst]; e < block.indptr[dst + 1]; ++e) {
      if (relations[e] < bits) key |= 1 << relations[e];
    }
    keys[dst] = key;
  }
  return keys;
}

// Counting sort: rows of one pattern stay ascending.
void sort_rows(const Recycled<int32_t>& keys, int64_t bits, int64_t num_types, AlikeRows& rows) {
  std::vector<int32_t> next((static_cast<size_t>(num_types) << bits) + 1, 0);
  for (int32_t key : keys) ++next[key + 1];
  for (size_t i = 1; i < next.size(); ++i) next[i] += next[i - 1];
  rows.types.resize(num_types + 1);
  for (int64_t t = 0; t <= num_types; ++t) rows.types[t] = next[static_cast<size_t>(t) << bits];
  rows.order.resize(keys.size());
  for (size_t dst = 0; dst < keys.size(); ++dst) rows.order[next[keys[dst]]++] = static_cast<int32_t>(dst);
}

// The lists of each relation, of rows in this order; edges of a row keep theirs.
RelationLists lists_by_relation(const BlockView& block, const int32_t* relations, int64_t num_relations,
                                const Recycled<int32_t>& order) {
  const auto num = static_cast<size_t>(num_relations);
  std::vector<int32_t> edges(num, 0), segments(num, 0), last(num, -1);
  for (int32_t row = 0; row < block.num_dst; ++row) {
    for (int32_t e = block.indptr[row]; e < block.indptr[row + 1]; ++e) {
      const int32_t r = relations[e];
      ++edges[r];
      segments[r] += last[r] != row;
      last[r] = row;
    }
  }
  RelationLists lists;
  lists.relations.resize(num + 1);
  lists.relations[0] = 0;
  for (size_t r = 0, edge = 0; r < num; ++r) {
    lists.relations[r + 1] = lists.relations[r] + segments[r];
    segments[r] = lists.relations[r];
    edge += static_cast<size_t>(edges[r]);
    edges[r] = static_cast<int32_t>(edge) - edges[r];
  }
  lists.rows.resize(lists.relations.back());
  lists.indptr.resize(lists.relations.back() + 1);
  lists.indptr.back() = static_cast<int32_t>(block.num_edges);
  lists.entries.resize(block.num_edges);
  std::fill(last.begin(), last.end(), -1);
  for (int32_t i = 0; i < block.num_dst; ++i) {
    const int32_t row = order[i];
    for (int32_t e = block.indptr[row]; e < block.indptr[row + 1]; ++e) {
      const int32_t r = relations[e], at = edges[r]++;
      lists.entries[at] = block.indices[e];
      if (last[r] == i) continue;
      last[r] = i;
      lists.rows[segments[r]] = i;
      lists.indptr[segments[r]++] = at;
    }
  }
  return lists;
}

}  // namespace

AlikeRows alike_rows(const BlockView& block, const int32_t* relations, int64_t num_relations, const int32_t* row_types,
                     int64_t num_types) {
  const int64_t bits = std::min(num_relations, kMostBits);
  AlikeRows rows;
  sort_rows(patterns(block, relations, row_types, bits), bits, num_types, rows);
  rows.by_dst = lists_by_relation(block, relations, num_relations, rows.order);
  return rows;
}

}  // namespace gnn
