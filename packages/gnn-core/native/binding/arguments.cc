#include "arguments.h"

#include "features_handle.h"

namespace hopwise {

void* Arguments::typed(Napi::Value value, const char* name, napi_typedarray_type type, const char* type_name,
                       int64_t length) const {
  bool is_typed = false;
  napi_is_typedarray(info_.Env(), value, &is_typed);
  napi_typedarray_type found = napi_int8_array;
  size_t found_length = 0;
  void* data = nullptr;
  if (is_typed) {
    napi_get_typedarray_info(info_.Env(), value, &found, &found_length, &data, nullptr, nullptr);
  }
  if (!is_typed || found != type) fail(std::string(name) + " is not a " + type_name + ".");
  if (static_cast<int64_t>(found_length) != length) {
    fail(std::string(name) + " has " + std::to_string(found_length) + " elements; expected " + std::to_string(length) +
         ".");
  }
  return data;
}

namespace {

void check_ids(const Arguments& arguments, const char* name, const int32_t* ids, int64_t length, int64_t bound) {
  // Unsigned: a negative id looks like a huge one. The maximum first, as that loop vectorises.
  uint32_t highest = 0;
  for (int64_t i = 0; i < length; ++i) {
    const auto id = static_cast<uint32_t>(ids[i]);
    highest = id > highest ? id : highest;
  }
  if (length == 0 || static_cast<int64_t>(highest) < bound) return;
  arguments.fail(std::string(name) + " holds " + std::to_string(static_cast<int32_t>(highest)) +
                 "; expected ids in [0, " + std::to_string(bound) + ").");
}

void check_offsets(const Arguments& arguments, const char* name, const int32_t* offsets, int64_t rows) {
  bool ascending = offsets[0] == 0;
  for (int64_t i = 0; i < rows; ++i) ascending &= offsets[i] <= offsets[i + 1];
  if (!ascending) arguments.fail(std::string(name) + " is not an ascending list of offsets that begins with 0.");
}

gnn::DropoutKey key_of(const int32_t* words) {
  const auto word = [&](int i) { return static_cast<uint32_t>(words[i]); };
  return {word(0), word(1), word(2), word(3)};
}

}  // namespace

int64_t Arguments::length_of_next() const {
  const Napi::Value value = info_[next_];
  return value.IsTypedArray() ? static_cast<int64_t>(value.As<Napi::TypedArray>().ElementLength()) : 0;
}

const int32_t* Arguments::ids(const char* name, int64_t length, int64_t bound) {
  const int32_t* data = ints(name, length);
  check_ids(*this, name, data, length, bound);
  return data;
}

const int32_t* Arguments::offsets(const char* name, int64_t count, int64_t last) {
  const int32_t* data = ints(name, count + 1);
  check_offsets(*this, name, data, count);
  if (data[count] != last) fail(std::string(name) + " do not end with " + std::to_string(last) + ".");
  return data;
}

const int32_t* Arguments::labels(const char* name, int64_t length, int64_t classes) {
  const int32_t* data = ints(name, length);
  for (int64_t i = 0; i < length; ++i) {
    if (data[i] < classes) continue;
    fail(std::string(name) + "[" + std::to_string(i) + "] is " + std::to_string(data[i]) + "; there are " +
         std::to_string(classes) + " classes.");
  }
  return data;
}

gnn::DropoutKey Arguments::dropout_key(const char* name) { return key_of(ints_of(next(name, kInts), name, 4)); }

gnn::BlockView Arguments::block(bool any_sizes) {
  const Napi::Value value = next("block", kBlock);
  if (!value.IsArray()) fail("block is not an array of its four parts, or six with its edges by src.");
  const auto parts = value.As<Napi::Array>();
  const auto size_of = [&](uint32_t i) { return parts.Get(i).ToNumber().Int64Value(); };
  gnn::BlockView block{};
  block.num_src = size_of(0);
  block.num_dst = size_of(1);
  if (block.num_dst < 0 || block.num_src < 0 || (!any_sizes && block.num_dst > block.num_src)) {
    fail("The block has " + std::to_string(block.num_dst) + " dst rows among " + std::to_string(block.num_src) +
         " src rows; the dst rows are the first src rows.");
  }
  block.indptr = ints_of(parts.Get(2u), "block.indptr", block.num_dst + 1);
  check_offsets(*this, "block.indptr", block.indptr, block.num_dst);
  block.num_edges = block.indptr[block.num_dst];
  block.indices = ints_of(parts.Get(3u), "block.indices", block.num_edges);
  check_ids(*this, "block.indices", block.indices, block.num_edges, block.num_src);
  if (parts.Length() < 6) return block;
  block.reverse_indptr = ints_of(parts.Get(4u), "block.reverse.indptr", block.num_src + 1);
  check_offsets(*this, "block.reverse.indptr", block.reverse_indptr, block.num_src);
  if (block.reverse_indptr[block.num_src] != block.num_edges) fail("block.reverse has another number of edges.");
  block.reverse_indices = ints_of(parts.Get(5u), "block.reverse.indices", block.num_edges);
  check_ids(*this, "block.reverse.indices", block.reverse_indices, block.num_edges, block.num_dst);
  return block;
}

std::pair<gnn::CsrView, int64_t> Arguments::csr(int64_t rows, int64_t dim) {
  gnn::CsrView x{rows, dim, ints("indptr", rows + 1), nullptr, nullptr};
  check_offsets(*this, "indptr", x.indptr, rows);
  const int64_t non_zeros = x.indptr[rows];
  x.indices = ids("indices", non_zeros, dim);
  x.values = floats("values", non_zeros);
  return {x, non_zeros};
}

gnn::RowSource Arguments::rows(const char* name, int64_t count, int64_t dim) {
  const Napi::Value value = next(name, kFloatArray | kRows);
  if (value.IsTypedArray()) {
    return {static_cast<float*>(typed(value, name, napi_float32_array, "Float32Array", count * dim)), dim};
  }
  if (!value.IsArray()) fail(std::string(name) + " is neither a Float32Array nor rows of features.");
  const auto parts = value.As<Napi::Array>();
  const Napi::Value handle = parts.Get(0u), key = parts.Get(2u);
  if (!handle.IsExternal()) fail(std::string(name) + " has no handle of features.");
  const gnn::FeatureView& features = features_of(handle);
  if (features.dense.empty() || features.dtype != gnn::FeatureDtype::float32 || features.dim != dim) {
    fail(std::string(name) + " are not dense float32 features of " + std::to_string(dim) + " columns.");
  }
  const int32_t* ids = ints_of(parts.Get(1u), name, count);
  check_ids(*this, name, ids, count, features.num_rows);
  gnn::RowSource rows(features, ids, count);
  if (key.IsNull()) return rows;
  const int64_t threshold = parts.Get(3u).ToNumber().Int64Value();
  if (threshold < 0 || threshold > 65535)
    fail("The dropout threshold of " + std::string(name) + " is outside [0, 65535].");
  rows.drop(key_of(ints_of(key, name, 4)), static_cast<uint32_t>(threshold));
  return rows;
}

}  // namespace hopwise
