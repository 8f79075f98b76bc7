#include "gnn/rows/row_batch.h"

#include <algorithm>
#include <cstring>

#include "gnn/error.h"

namespace gnn {
namespace {

template <typename T>
void add_as(int64_t dim, const uint8_t* row, uint8_t* into) {
  // Rows of the wire need not be aligned.
  for (int64_t i = 0; i < dim; ++i) {
    T a, b;
    std::memcpy(&a, into + i * sizeof(T), sizeof(T));
    std::memcpy(&b, row + i * sizeof(T), sizeof(T));
    a = static_cast<T>(a + b);
    std::memcpy(into + i * sizeof(T), &a, sizeof(T));
  }
}

// Wraps around instead of overflowing, which for signed numbers is undefined.
template <typename T, typename Unsigned>
void add_wrapping(int64_t dim, const uint8_t* row, uint8_t* into) {
  static_assert(sizeof(T) == sizeof(Unsigned));
  add_as<Unsigned>(dim, row, into);
}

// Least significant digit first, which keeps the order of equal ones.
void sort_by_id(std::vector<uint64_t>& keys, int64_t num_rows) {
  constexpr int kDigit = 11, kFirst = 32;
  std::vector<uint64_t> sorted(keys.size());
  for (int shift = kFirst; shift < kFirst + 31 && (num_rows >> (shift - kFirst)) > 0; shift += kDigit) {
    const auto digit = [shift](uint64_t key) { return (key >> shift) & ((1u << kDigit) - 1); };
    std::vector<size_t> begins((1u << kDigit) + 1);
    for (const uint64_t key : keys) ++begins[digit(key) + 1];
    for (size_t d = 1; d < begins.size(); ++d) begins[d] += begins[d - 1];
    for (const uint64_t key : keys) sorted[begins[digit(key)]++] = key;
    keys.swap(sorted);
  }
}

}  // namespace

RowPlan plan_rows(const std::string& table, const int32_t* ids, int64_t count, int64_t num_rows) {
  // Id above, position below: sorted, each id's positions ascend.
  std::vector<uint64_t> keys(count);
  for (int64_t i = 0; i < count; ++i) {
    const int32_t id = ids[i];
    if (id < 0 || id >= num_rows) {
      throw Error("SHAPE_MISMATCH", "Row " + std::to_string(id) + " is not among the " + std::to_string(num_rows) +
                                        " rows of \"" + table + "\".");
    }
    keys[i] = (static_cast<uint64_t>(id) << 32) | static_cast<uint32_t>(i);
  }
  if (!std::is_sorted(keys.begin(), keys.end())) sort_by_id(keys, num_rows);
  RowPlan plan;
  plan.positions.resize(count);
  plan.ids.reserve(count);
  plan.starts.reserve(count + 1);
  for (int64_t i = 0; i < count; ++i) {
    const auto id = static_cast<int32_t>(keys[i] >> 32);
    if (plan.ids.empty() || plan.ids.back() != id) {
      plan.ids.push_back(id);
      plan.starts.push_back(i);
    }
    plan.positions[i] = static_cast<int32_t>(keys[i] & 0xffffffffu);
  }
  plan.starts.push_back(count);
  return plan;
}

void scatter_rows(const RowPlan& plan, int64_t begin, int64_t end, const uint8_t* rows, int64_t row_bytes,
                  uint8_t* out) {
  for (int64_t u = begin; u < end; ++u) {
    const uint8_t* row = rows + (u - begin) * row_bytes;
    for (int64_t i = plan.starts[u]; i < plan.starts[u + 1]; ++i) {
      std::memcpy(out + int64_t{plan.positions[i]} * row_bytes, row, row_bytes);
    }
  }
}

std::vector<uint8_t> reduce_rows(const RowPlan& plan, RowOp op, const RowSchema& schema, const uint8_t* rows) {
  const int64_t row_bytes = schema.row_bytes();
  std::vector<uint8_t> reduced(plan.ids.size() * row_bytes);
  for (size_t u = 0; u < plan.ids.size(); ++u) {
    uint8_t* out = reduced.data() + u * row_bytes;
    const int64_t first = op == RowOp::kSet ? plan.starts[u + 1] - 1 : plan.starts[u];
    std::memcpy(out, rows + int64_t{plan.positions[first]} * row_bytes, row_bytes);
    for (int64_t i = first + 1; i < plan.starts[u + 1]; ++i) {
      add_row(schema.dtype, schema.dim, rows + int64_t{plan.positions[i]} * row_bytes, out);
    }
  }
  return reduced;
}

void add_row(RowDtype dtype, int64_t dim, const uint8_t* row, uint8_t* into) {
  switch (dtype) {
    case RowDtype::kFloat32: return add_as<float>(dim, row, into);
    case RowDtype::kInt32: return add_wrapping<int32_t, uint32_t>(dim, row, into);
    case RowDtype::kInt64: return add_wrapping<int64_t, uint64_t>(dim, row, into);
    default: throw Error("SPEC_INVALID", "Rows of this type cannot be added.");
  }
}

void require_addable(const std::string& table, RowDtype dtype) {
  if (dtype == RowDtype::kFloat32 || dtype == RowDtype::kInt32 || dtype == RowDtype::kInt64) return;
  throw Error("SPEC_INVALID",
              "Rows of \"" + table + "\" cannot be added: expected float32, int32 or int64. Write them with set.");
}

}  // namespace gnn
