#pragma once
// What a function of the addon takes, declared once beside its registration in the words of TypeScript: calls are
// checked against it, and JavaScript can read it as addon.signatures.
#include <napi.h>

#include <cstdint>
#include <string>
#include <vector>

namespace hopwise {

// Bits, as a parameter may take several.
enum Kinds : uint32_t {
  kNumber = 1 << 0,
  kBoolean = 1 << 1,
  kString = 1 << 2,
  kNull = 1 << 3,
  kFunction = 1 << 4,
  kObject = 1 << 5,
  kArray = 1 << 6,
  kExternal = 1 << 7,
  // 1 << (kFirstTyped + type) is a typed array of that napi_typedarray_type.
  kFirstTyped = 8,
  kFloats = 1 << (kFirstTyped + napi_float32_array),
  kInts = 1 << (kFirstTyped + napi_int32_array),
  kAnyTyped = ((1u << (napi_biguint64_array + 1)) - 1) << kFirstTyped,
};

// The kinds of "Float32Array", "Int32Array" and blocks in signatures: in an addon whose arrays lie on a device, these
// are handles.
#ifdef HOPWISE_DEVICE
constexpr uint32_t kFloatArray = kExternal, kIntArray = kExternal, kBlock = kExternal, kRows = kExternal;
#else
constexpr uint32_t kFloatArray = kFloats, kIntArray = kInts, kBlock = kArray, kRows = kArray;
#endif

struct Parameter {
  std::string name;
  std::string type;
  uint32_t kinds;
  bool optional;
};

class Signature {
 public:
  // "name(parameter: type, optional?: type)"; a type that no check is written for ends the process.
  explicit Signature(const char* text);

  const std::string& text() const { return text_; }
  const std::string& name() const { return name_; }
  const std::vector<Parameter>& parameters() const { return parameters_; }

  void check_count(const Napi::CallbackInfo& info) const;
  void check_types(const Napi::CallbackInfo& info) const;
  // A kernel reads its arguments in their order: as it reads one, this holds the reader to what is declared.
  void check_read(const Napi::CallbackInfo& info, size_t position, const char* name, uint32_t kinds) const;
  void check_all_read(const Napi::CallbackInfo& info, size_t count) const;

 private:
  std::string text_, name_;
  std::vector<Parameter> parameters_;
  size_t required_ = 0;
};

}  // namespace hopwise
