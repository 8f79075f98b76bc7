#pragma once
// Reads the arguments of a kernel call in order and checks each: type, length, range. Kernels below check nothing.
// Arrays lie in the memory of the addon: in typed arrays of the host's (arguments.cc), or on a device, behind handles
// (device/arguments.cc).
#include <napi.h>

#include <cstdint>
#include <string>
#include <utility>

#include "gnn/features/row_source.h"
#include "gnn/sparse/block_view.h"
#include "registry.h"
#include "signature.h"

namespace hopwise {

inline const Signature& signature_of(const Napi::CallbackInfo& info) { return *static_cast<Signature*>(info.Data()); }

class Arguments {
 public:
  explicit Arguments(const Napi::CallbackInfo& info) : info_(info), signature_(signature_of(info)) {}

  Napi::Env env() const { return info_.Env(); }

  // A count: a non-negative integer below 2^53.
  int64_t count(const char* name) {
    const double value = number(name);
    if (!(value >= 0 && value <= 9007199254740991.0) || value != static_cast<double>(static_cast<int64_t>(value))) {
      fail(std::string(name) + " is " + std::to_string(value) + "; expected a count.");
    }
    return static_cast<int64_t>(value);
  }

  double number(const char* name) {
    const Napi::Value value = next(name, kNumber);
    if (!value.IsNumber()) fail(std::string(name) + " is not a number.");
    return value.As<Napi::Number>().DoubleValue();
  }

  bool flag(const char* name) {
    const Napi::Value value = next(name, kBoolean);
    if (!value.IsBoolean()) fail(std::string(name) + " is not a boolean.");
    return value.As<Napi::Boolean>().Value();
  }

  float* floats(const char* name, int64_t length) {
    return static_cast<float*>(typed(next(name, kFloatArray), name, napi_float32_array, "Float32Array", length));
  }

  // Null for null.
  float* optional_floats(const char* name, int64_t length) {
    const Napi::Value value = next(name, kFloatArray | kNull);
    if (value.IsNull()) return nullptr;
    return static_cast<float*>(typed(value, name, napi_float32_array, "Float32Array", length));
  }

  const int32_t* ints(const char* name, int64_t length) { return ints_of(next(name, kIntArray), name, length); }

  // int32 ids, each in [0, bound).
  const int32_t* ids(const char* name, int64_t length, int64_t bound);

  // Ascending int32 offsets [count + 1] from 0 up to `last`.
  const int32_t* offsets(const char* name, int64_t count, int64_t last);

  // The length of the array that is read next, by which other arguments are measured.
  int64_t length_of_next() const;

  // int32 class indices, each below `classes`; negative ones mean that there is none.
  const int32_t* labels(const char* name, int64_t length, int64_t classes);

  // Four words, in memory of the host whatever the addon's is.
  gnn::DropoutKey dropout_key(const char* name);
  uint32_t threshold(const char* name) {
    const int64_t value = count(name);
    if (value > 65535) fail(std::string(name) + " is above 65535: a rate of 1 keeps nothing.");
    return static_cast<uint32_t>(value);
  }

  // With `any_sizes` there may be more dst than src rows: the dst rows need not be src rows.
  gnn::BlockView block(bool any_sizes = false);
  // CSR rows, and how many values they have in all.
  std::pair<gnn::CsrView, int64_t> csr(int64_t rows, int64_t dim);

  // Rows [count, dim]: a Float32Array, or [features, ids, key | null, threshold] for dense float32 features, dropped by
  // key when there is one.
  gnn::RowSource rows(const char* name, int64_t count, int64_t dim);

  void require_all_read() const { signature_.check_all_read(info_, next_); }

  [[noreturn]] void fail(const std::string& message) const { throw_gnn_error(info_.Env(), "SHAPE_MISMATCH", message); }

 private:
  Napi::Value next(const char* name, uint32_t kinds) {
    signature_.check_read(info_, next_, name, kinds);
    return info_[next_++];
  }
  const int32_t* ints_of(Napi::Value value, const char* name, int64_t length) const {
    return static_cast<const int32_t*>(typed(value, name, napi_int32_array, "Int32Array", length));
  }
  void* typed(Napi::Value value, const char* name, napi_typedarray_type type, const char* type_name,
              int64_t length) const;
#ifdef HOPWISE_DEVICE
  const struct DeviceArray* device_array(Napi::Value value, const char* name, bool is_float) const;
#endif

  const Napi::CallbackInfo& info_;
  const Signature& signature_;
  size_t next_ = 0;
};

}  // namespace hopwise
