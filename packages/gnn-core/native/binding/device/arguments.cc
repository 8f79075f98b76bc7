// Arguments of an addon whose arrays lie on a device. What kernels index was measured while the host had it.
#include "arguments.h"

#include "device.h"

namespace hopwise {
namespace {

const DeviceBlock& block_of(const Arguments& arguments, const Napi::Value& value) {
  const DeviceBlock* const block = object_of<DeviceBlock>(value, DeviceObject::Kind::kBlock);
  if (block == nullptr || !block->indptr) arguments.fail("block is not a block of the device, or was given back.");
  return *block;
}

}  // namespace

const DeviceArray* Arguments::device_array(Napi::Value value, const char* name, bool is_float) const {
  const auto kind = is_float ? DeviceObject::Kind::kFloats : DeviceObject::Kind::kInts;
  const DeviceArray* const array = object_of<DeviceArray>(value, kind);
  if (array == nullptr) {
    fail(std::string(name) + " is not an array of " + (is_float ? "floats" : "integers") + " on the device.");
  }
  if (array->memory == nullptr) fail(std::string(name) + " was given back to the device.");
  return array;
}

void* Arguments::typed(Napi::Value value, const char* name, napi_typedarray_type type, const char*,
                       int64_t length) const {
  const DeviceArray* const array = device_array(value, name, type == napi_float32_array);
  if (array->count != length) {
    fail(std::string(name) + " has " + std::to_string(array->count) + " elements; expected " + std::to_string(length) +
         ".");
  }
  return array->data;
}

int64_t Arguments::length_of_next() const {
  const Napi::Value value = info_[next_];
  for (const auto kind : {DeviceObject::Kind::kFloats, DeviceObject::Kind::kInts}) {
    if (const DeviceArray* const array = object_of<DeviceArray>(value, kind)) return array->count;
  }
  return 0;
}

const int32_t* Arguments::ids(const char* name, int64_t length, int64_t bound) {
  const Napi::Value value = info_[next_];
  const int32_t* const data = ints(name, length);
  const DeviceArray& array = *device_array(value, name, false);
  if (length == 0 || (array.lowest >= 0 && array.highest < bound)) return data;
  fail(std::string(name) + " holds " + std::to_string(array.lowest < 0 ? array.lowest : array.highest) +
       "; expected ids in [0, " + std::to_string(bound) + ").");
}

const int32_t* Arguments::offsets(const char* name, int64_t count, int64_t last) {
  const Napi::Value value = info_[next_];
  const int32_t* const data = ints(name, count + 1);
  const DeviceArray& array = *device_array(value, name, false);
  if (array.is_ascending_from_zero && array.last == last) return data;
  fail(std::string(name) + " are not ascending offsets from 0 up to " + std::to_string(last) + ".");
}

const int32_t* Arguments::labels(const char* name, int64_t length, int64_t classes) {
  const Napi::Value value = info_[next_];
  const int32_t* const data = ints(name, length);
  const DeviceArray& array = *device_array(value, name, false);
  if (length == 0 || array.highest < classes) return data;
  fail(std::string(name) + " holds " + std::to_string(array.highest) + "; there are " + std::to_string(classes) +
       " classes.");
}

gnn::DropoutKey Arguments::dropout_key(const char* name) {
  const Napi::Value value = next(name, kInts);
  if (!value.IsTypedArray() || value.As<Napi::TypedArray>().TypedArrayType() != napi_int32_array ||
      value.As<Napi::TypedArray>().ElementLength() != 4) {
    fail(std::string(name) + " is not an Int32Array of four words.");
  }
  const int32_t* const words = value.As<Napi::Int32Array>().Data();
  const auto word = [&](int i) { return static_cast<uint32_t>(words[i]); };
  return {word(0), word(1), word(2), word(3)};
}

gnn::BlockView Arguments::block(bool any_sizes) {
  const gnn::BlockView view = block_of(*this, next("block", kBlock)).view;
  if (any_sizes || view.num_dst <= view.num_src) return view;
  fail("The block has " + std::to_string(view.num_dst) + " dst rows among " + std::to_string(view.num_src) +
       " src rows; the dst rows are the first src rows.");
}

std::pair<gnn::CsrView, int64_t> Arguments::csr(int64_t rows, int64_t dim) {
  const Napi::Value offsets = info_[next_];
  gnn::CsrView x{rows, dim, ints("indptr", rows + 1), nullptr, nullptr};
  const DeviceArray& indptr = *device_array(offsets, "indptr", false);
  if (!indptr.is_ascending_from_zero) fail("indptr is not an ascending list of offsets that begins with 0.");
  x.indices = ids("indices", indptr.last, dim);
  x.values = floats("values", indptr.last);
  x.num_values = indptr.last;
  return {x, indptr.last};
}

gnn::RowSource Arguments::rows(const char* name, int64_t count, int64_t dim) {
  return {static_cast<float*>(typed(next(name, kFloatArray | kRows), name, napi_float32_array, "", count * dim)), dim};
}

}  // namespace hopwise
