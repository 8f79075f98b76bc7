#pragma once
// What all ranks must agree on about a table of rows: element type, width and who owns which range of ids.
#include <cstdint>
#include <string>
#include <vector>

namespace gnn {

// The numbers are part of the wire format and of partition/row-schema.ts.
enum class RowDtype : uint32_t { kFloat32 = 0, kInt32 = 1, kInt64 = 2, kInt8 = 3, kUint8 = 4, kFloat16 = 5 };
// kDraw is of lists (list_table.h), the others of rows.
enum class RowOp : uint32_t { kGet = 0, kSet = 1, kAdd = 2, kDraw = 3 };

constexpr uint32_t kNumRowDtypes = 6;
constexpr int64_t kMaxRowBytes = int64_t{1} << 24;
constexpr size_t kMaxRowName = 200;

inline int64_t bytes_of(RowDtype dtype) {
  constexpr int64_t bytes[kNumRowDtypes] = {4, 4, 8, 1, 1, 2};
  return bytes[static_cast<uint32_t>(dtype)];
}

struct RowSchema {
  RowDtype dtype;
  int64_t dim;
  // [numRanks + 1]: rank r owns ids [offsets[r], offsets[r + 1])
  std::vector<int64_t> offsets;
  bool read_only;

  int64_t row_bytes() const { return bytes_of(dtype) * dim; }
  int64_t num_rows() const { return offsets.back(); }
};

}  // namespace gnn
