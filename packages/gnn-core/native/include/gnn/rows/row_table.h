#pragma once
// The rows that one rank owns of one table, and the writes that wait for the next version of them.
//
// Thread ownership: `values` belong to the caller, who neither frees nor writes them while the table is hosted. Reads
// may come from any thread; apply_writes and update exclude them.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "gnn/rows/list_table.h"
#include "gnn/rows/row_schema.h"

namespace gnn {

// One batch of writes to the rows of one owner; ids are distinct and ascending.
struct RowWrite {
  int rank;           // who wrote
  uint64_t sequence;  // in which order that rank wrote
  RowOp op;
  std::vector<int32_t> ids;
  std::vector<uint8_t> rows;
};

// Sums of added rows, one per distinct id, ascending.
struct RowSums {
  std::vector<int32_t> ids;
  std::vector<float> rows;
};

class RowTable {
 public:
  // values: [owned rows · dim], or null for a table that only collects sums.
  RowTable(std::string name, RowSchema schema, int rank, uint8_t* values);

  const std::string& name() const { return name_; }
  const RowSchema& schema() const { return schema_; }

  // Throws SHAPE_MISMATCH for a row that is not this rank's, SPEC_INVALID for a table without values.
  void read(const int32_t* ids, int64_t count, uint8_t* out) const;
  // Throws as read.
  void require_readable(const int32_t* ids, int64_t count) const;
  // Gives `take` the rows one after the other; they stay as they are until it is back from the last. Throws as read.
  template <typename Take>
  void read_each(const int32_t* ids, int64_t count, Take&& take) const {
    require_readable(ids, count);
    const int64_t row_bytes = schema_.row_bytes();
    const std::shared_lock lock(values_mutex_);
    for (int64_t i = 0; i < count; ++i) {
      if (i + kPrefetched < count) prefetch_row(values_ + (ids[i + kPrefetched] - first()) * row_bytes, row_bytes);
      take(values_ + (ids[i] - first()) * row_bytes);
    }
  }
  // Keeps the write for apply_writes or take_sums. Throws as read, and SPEC_INVALID for read-only rows.
  void stage(RowWrite write);
  // Applies what was staged, ordered by (rank, sequence).
  void apply_writes();
  // Takes what was added since the last call, summed by (rank, sequence). Throws SPEC_INVALID unless float32 adds.
  RowSums take_sums();
  // Runs `work` while nobody reads.
  template <typename Work>
  void exclusively(Work&& work) {
    const std::unique_lock lock(values_mutex_);
    work();
  }

 private:
  int64_t first() const { return schema_.offsets[rank_]; }
  int64_t end() const { return schema_.offsets[rank_ + 1]; }
  void require_owned(const int32_t* ids, int64_t count) const;
  static void prefetch_row(const uint8_t* row, int64_t bytes) {
    // The hardware follows longer rows by itself.
    for (int64_t at = 0; at < std::min<int64_t>(bytes, 1024); at += 64) __builtin_prefetch(row + at);
  }
  static constexpr int64_t kPrefetched = 4;
  std::vector<RowWrite> take_staged();

  const std::string name_;
  const RowSchema schema_;
  const int rank_;
  uint8_t* const values_;
  mutable std::shared_mutex values_mutex_;
  std::mutex staged_mutex_;
  std::vector<RowWrite> staged_;
};

// The tables of one rank, by name. Safe from any thread.
class RowStore {
 public:
  RowStore(int rank, int world_size) : rank_(rank), world_size_(world_size) {}

  int rank() const { return rank_; }
  int world_size() const { return world_size_; }

  // Throws SPEC_INVALID when the name is taken or the schema is none for this many ranks.
  void host(const std::string& name, RowSchema schema, uint8_t* values);
  void drop(const std::string& name);
  // Throws SPEC_INVALID when there is none.
  std::shared_ptr<RowTable> table(const std::string& name) const;
  // Null when there is none.
  std::shared_ptr<RowTable> find(const std::string& name) const;

  // Lists have names of their own. Throw as above; null when there are none.
  void host_lists(const std::string& name, std::vector<int64_t> offsets, std::vector<PartView> parts);
  std::shared_ptr<ListTable> lists(const std::string& name) const;
  std::shared_ptr<ListTable> find_lists(const std::string& name) const;

 private:
  const int rank_;
  const int world_size_;
  mutable std::mutex mutex_;
  std::unordered_map<std::string, std::shared_ptr<RowTable>> tables_;
  std::unordered_map<std::string, std::shared_ptr<ListTable>> lists_;
};

}  // namespace gnn
