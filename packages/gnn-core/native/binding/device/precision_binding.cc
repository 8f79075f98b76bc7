// With which library, and how precisely, products of matrices are computed.
#include "../export_kernel.h"
#include "device.h"
#include "gnn/error.h"

namespace hopwise {
namespace {

using gnn::device::Precision;

std::string why_no_library() {
  return device().products == nullptr ? "the device is an emulated one" : device().products->why_not();
}

Napi::Value set_precision(Arguments& arguments) {
  const auto precision = static_cast<Precision>(arguments.count("precision"));
  device();  // opens the library
  if (precision != Precision::kFp32 && gnn::device::products() == nullptr) {
    throw gnn::Error("DEVICE_NOT_AVAILABLE",
                     "TF32 and bfloat16 are cuBLASLt's, which cannot be used here: " + why_no_library() + ".");
  }
  stream().set_precision(precision);
  return arguments.env().Undefined();
}

Napi::Value products_name(const Napi::CallbackInfo& info) {
  device();  // opens the library
  const gnn::device::Products* const library = gnn::device::products();
  const std::string name = library != nullptr ? library->name() : "our own kernels, as " + why_no_library();
  return Napi::String::New(info.Env(), name);
}

void init(Napi::Env env, Napi::Object exports) {
  export_kernel<set_precision>(env, exports, "setPrecision(precision: number)");
  export_function<products_name>(env, exports, "productsName()");
}

HOPWISE_BINDING(init);

}  // namespace
}  // namespace hopwise
