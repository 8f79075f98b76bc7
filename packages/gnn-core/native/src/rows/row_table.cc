#include "gnn/rows/row_table.h"

#include <algorithm>
#include <cstring>

#include "gnn/error.h"
#include "gnn/rows/row_batch.h"

namespace gnn {

RowTable::RowTable(std::string name, RowSchema schema, int rank, uint8_t* values)
    : name_(std::move(name)), schema_(std::move(schema)), rank_(rank), values_(values) {}

void RowTable::read(const int32_t* ids, int64_t count, uint8_t* out) const {
  const int64_t row_bytes = schema_.row_bytes();
  read_each(ids, count, [&](const uint8_t* row) {
    std::memcpy(out, row, row_bytes);
    out += row_bytes;
  });
}

void RowTable::require_readable(const int32_t* ids, int64_t count) const {
  if (values_ == nullptr) throw Error("SPEC_INVALID", "\"" + name_ + "\" only collects sums; it cannot be read.");
  require_owned(ids, count);
}

void RowTable::stage(RowWrite write) {
  if (schema_.read_only) throw Error("SPEC_INVALID", "The rows of \"" + name_ + "\" are read-only.");
  if (write.op == RowOp::kAdd) require_addable(name_, schema_.dtype);
  require_owned(write.ids.data(), static_cast<int64_t>(write.ids.size()));
  const std::lock_guard lock(staged_mutex_);
  staged_.push_back(std::move(write));
}

void RowTable::apply_writes() {
  const std::vector<RowWrite> writes = take_staged();
  if (writes.empty()) return;
  if (values_ == nullptr) throw Error("SPEC_INVALID", "\"" + name_ + "\" only collects sums; take them instead.");
  const int64_t row_bytes = schema_.row_bytes();
  exclusively([&] {
    for (const RowWrite& write : writes) {
      for (size_t i = 0; i < write.ids.size(); ++i) {
        uint8_t* into = values_ + (write.ids[i] - first()) * row_bytes;
        const uint8_t* row = write.rows.data() + i * row_bytes;
        if (write.op == RowOp::kSet) std::memcpy(into, row, row_bytes);
        else add_row(schema_.dtype, schema_.dim, row, into);
      }
    }
  });
}

RowSums RowTable::take_sums() {
  if (schema_.dtype != RowDtype::kFloat32) throw Error("SPEC_INVALID", "\"" + name_ + "\": sums are of float32 rows.");
  const std::vector<RowWrite> writes = take_staged();
  std::vector<int32_t> ids;
  std::vector<const uint8_t*> rows;
  const int64_t row_bytes = schema_.row_bytes();
  for (const RowWrite& write : writes) {
    if (write.op != RowOp::kAdd) throw Error("SPEC_INVALID", "\"" + name_ + "\" was set where it collects sums.");
    ids.insert(ids.end(), write.ids.begin(), write.ids.end());
    for (size_t i = 0; i < write.ids.size(); ++i) rows.push_back(write.rows.data() + i * row_bytes);
  }
  RowPlan plan = plan_rows(name_, ids.data(), static_cast<int64_t>(ids.size()), schema_.num_rows());
  RowSums sums;
  sums.rows.resize(plan.ids.size() * schema_.dim);
  for (size_t u = 0; u < plan.ids.size(); ++u) {
    auto* out = reinterpret_cast<uint8_t*>(sums.rows.data() + u * schema_.dim);
    std::memcpy(out, rows[plan.positions[plan.starts[u]]], row_bytes);
    for (int64_t i = plan.starts[u] + 1; i < plan.starts[u + 1]; ++i) {
      add_row(schema_.dtype, schema_.dim, rows[plan.positions[i]], out);
    }
  }
  sums.ids = std::move(plan.ids);
  return sums;
}

void RowTable::require_owned(const int32_t* ids, int64_t count) const {
  for (int64_t i = 0; i < count; ++i) {
    if (ids[i] >= first() && ids[i] < end()) continue;
    throw Error("SHAPE_MISMATCH", "Row " + std::to_string(ids[i]) + " of \"" + name_ + "\" is not owned by rank " +
                                      std::to_string(rank_) + ", which has [" + std::to_string(first()) + ", " +
                                      std::to_string(end()) + ").");
  }
}

std::vector<RowWrite> RowTable::take_staged() {
  std::vector<RowWrite> writes;
  {
    const std::lock_guard lock(staged_mutex_);
    writes.swap(staged_);
  }
  std::sort(writes.begin(), writes.end(), [](const RowWrite& a, const RowWrite& b) {
    return a.rank != b.rank ? a.rank < b.rank : a.sequence < b.sequence;
  });
  return writes;
}

void RowStore::host(const std::string& name, RowSchema schema, uint8_t* values) {
  const bool ascends = std::is_sorted(schema.offsets.begin(), schema.offsets.end());
  if (schema.offsets.size() != static_cast<size_t>(world_size_) + 1 || schema.offsets[0] != 0 || !ascends) {
    throw Error("SPEC_INVALID", "\"" + name + "\" needs " + std::to_string(world_size_ + 1) +
                                    " offsets ascending from 0, one range for each rank.");
  }
  if (name.empty() || name.size() > kMaxRowName || schema.dim < 1 || schema.row_bytes() > kMaxRowBytes ||
      schema.num_rows() > INT32_MAX) {
    throw Error("SPEC_INVALID", "\"" + name + "\" needs a name of 1 to 200 characters, rows of 1 byte to 16 MiB and " +
                                    "fewer than 2^31 of them.");
  }
  auto table = std::make_shared<RowTable>(name, std::move(schema), rank_, values);
  const std::lock_guard lock(mutex_);
  if (!tables_.emplace(name, std::move(table)).second) {
    throw Error("SPEC_INVALID", "There are rows called \"" + name + "\" already.");
  }
}

void RowStore::drop(const std::string& name) {
  const std::lock_guard lock(mutex_);
  tables_.erase(name);
}

std::shared_ptr<RowTable> RowStore::find(const std::string& name) const {
  const std::lock_guard lock(mutex_);
  const auto found = tables_.find(name);
  return found == tables_.end() ? nullptr : found->second;
}

std::shared_ptr<RowTable> RowStore::table(const std::string& name) const {
  auto found = find(name);
  if (!found) throw Error("SPEC_INVALID", "There are no rows called \"" + name + "\"; host them on every rank first.");
  return found;
}

void RowStore::host_lists(const std::string& name, std::vector<int64_t> offsets, std::vector<PartView> parts) {
  if (name.empty() || name.size() > kMaxRowName || offsets.size() != static_cast<size_t>(world_size_) + 1) {
    throw Error("SPEC_INVALID", "\"" + name + "\" needs a name of 1 to 200 characters and a range for each of " +
                                    std::to_string(world_size_) + " ranks.");
  }
  auto table = std::make_shared<ListTable>(name, std::move(offsets), rank_, std::move(parts));
  const std::lock_guard lock(mutex_);
  if (!lists_.emplace(name, std::move(table)).second) {
    throw Error("SPEC_INVALID", "There are lists called \"" + name + "\" already.");
  }
}

std::shared_ptr<ListTable> RowStore::find_lists(const std::string& name) const {
  const std::lock_guard lock(mutex_);
  const auto found = lists_.find(name);
  return found == lists_.end() ? nullptr : found->second;
}

std::shared_ptr<ListTable> RowStore::lists(const std::string& name) const {
  auto found = find_lists(name);
  if (!found) throw Error("SPEC_INVALID", "There are no lists called \"" + name + "\"; host them on every rank first.");
  return found;
}

}  // namespace gnn
