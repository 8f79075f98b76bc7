// cuBLASLt's C interface, on the processor. It enqueues on the emulation's streams by a function that tests hand over,
// rounds factors as the precision that was asked for does, and refuses what the library refuses: matrices or a bias
// that lie less aligned than was said, or no bias where there should be one. HOPWISE_TEST_CUBLASLT: "absent" fails to
// start, "refuses" knows no way for any product.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>

namespace {

enum { kSuccess = 0, kNotInitialized = 1, kInvalidValue = 7, kNotSupported = 15 };

struct Object {
  int64_t values[16] = {};
};
struct Algorithm {
  uint64_t data[8];
};
struct Heuristic {
  Algorithm algorithm;
  size_t workspace_bytes;
  int status;
  float waves;
  int reserved[4];
};
constexpr uint64_t kMark = 0x48577761;
constexpr size_t kWorkspaceBytes = 640;
enum { kCompute = 0, kTransA = 3, kTransB = 4, kEpilogue = 7, kBias = 8 };
enum { kRows = 0, kColumns = 1, kStride = 2 };

int live = 0;

bool is(const char* state) {
  const char* const now = std::getenv("HOPWISE_TEST_CUBLASLT");
  return now != nullptr && std::strcmp(now, state) == 0;
}

int make(Object** to) {
  *to = new Object;
  ++live;
  return kSuccess;
}
int destroy(Object* object) {
  delete object;
  --live;
  return kSuccess;
}

int set(Object* object, int attribute, const void* value, size_t bytes) {
  if (attribute < 0 || attribute > 15 || bytes > sizeof(int64_t)) return kInvalidValue;
  object->values[attribute] = 0;
  std::memcpy(&object->values[attribute], value, bytes);
  return kSuccess;
}

// A factor as the precision keeps it, rounded to nearest.
float kept(float value, int64_t compute) {
  const int dropped = compute == 77 ? 13 : compute == 75 ? 16 : 0;
  if (dropped == 0) return value;
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  bits = (bits + (1u << (dropped - 1))) & ~((1u << dropped) - 1);
  std::memcpy(&value, &bits, sizeof bits);
  return value;
}

struct Product {
  Object descriptor, a, b, c;
  float alpha, beta;
  const float *x, *y;
  float* out;

  // Columns of matrices lie one after the other.
  float at(const Object& layout, const float* values, bool transposed, int64_t row, int64_t column) const {
    const int64_t i = transposed ? column + row * layout.values[kStride] : row + column * layout.values[kStride];
    return kept(values[i], descriptor.values[kCompute]);
  }
  void run() const {
    const bool ta = descriptor.values[kTransA] != 0, tb = descriptor.values[kTransB] != 0;
    const auto epilogue = static_cast<int>(descriptor.values[kEpilogue]);
    const auto* bias = reinterpret_cast<const float*>(descriptor.values[kBias]);
    const int64_t depth = a.values[ta ? kRows : kColumns];
    for (int64_t column = 0; column < c.values[kColumns]; ++column) {
      for (int64_t row = 0; row < c.values[kRows]; ++row) {
        float* to = out + row + column * c.values[kStride];
        float sum = 0;
        for (int64_t i = 0; i < depth; ++i) sum += at(a, x, ta, row, i) * at(b, y, tb, i, column);
        sum = alpha * sum + (beta != 0 ? beta * *to : 0) + ((epilogue & 4) != 0 ? bias[row] : 0);
        *to = (epilogue & 2) != 0 && !(sum > 0) ? 0 : sum;
      }
    }
  }
};

}  // namespace

extern "C" {

using Work = void (*)(void*);
void (*hopwise_double_enqueue)(void* stream, Work work, void* state) = nullptr;
int hopwise_double_live() { return live; }

int cublasLtCreate(Object** handle) { return is("absent") ? kNotInitialized : make(handle); }
int cublasLtDestroy(Object* handle) { return destroy(handle); }
size_t cublasLtGetVersion() { return 130101; }
int cublasLtMatmulDescCreate(Object** descriptor, int compute, int) {
  make(descriptor);
  (*descriptor)->values[kCompute] = compute;
  return kSuccess;
}
int cublasLtMatmulDescDestroy(Object* descriptor) { return destroy(descriptor); }
int cublasLtMatmulDescSetAttribute(Object* descriptor, int attribute, const void* value, size_t bytes) {
  return set(descriptor, attribute, value, bytes);
}
int cublasLtMatrixLayoutCreate(Object** layout, int, uint64_t rows, uint64_t columns, int64_t stride) {
  make(layout);
  (*layout)->values[kRows] = static_cast<int64_t>(rows);
  (*layout)->values[kColumns] = static_cast<int64_t>(columns);
  (*layout)->values[kStride] = stride;
  return kSuccess;
}
int cublasLtMatrixLayoutDestroy(Object* layout) { return destroy(layout); }
int cublasLtMatmulPreferenceCreate(Object** preference) { return make(preference); }
int cublasLtMatmulPreferenceDestroy(Object* preference) { return destroy(preference); }
int cublasLtMatmulPreferenceSetAttribute(Object* preference, int attribute, const void* value, size_t bytes) {
  return set(preference, attribute, value, bytes);
}
int cublasLtMatmulAlgoGetHeuristic(Object*, Object* descriptor, Object*, Object*, Object*, Object*, Object* preference,
                                   int, Heuristic* found, int* count) {
  *count = 0;
  if (is("refuses")) return kNotSupported;
  if ((descriptor->values[kEpilogue] & 4) != 0 && descriptor->values[kBias] == 0) return kInvalidValue;
  *found = {{{kMark, static_cast<uint64_t>(preference->values[5])}}, kWorkspaceBytes, kSuccess, 1.0f, {}};
  *count = 1;
  return kSuccess;
}
int cublasLtMatmul(Object*, Object* descriptor, const float* alpha, const float* x, Object* a, const float* y,
                   Object* b, const float* beta, const float*, Object* c, float* out, Object*,
                   const Algorithm* algorithm, void* workspace, size_t workspace_bytes, void* stream) {
  const auto addresses =
      reinterpret_cast<uintptr_t>(x) | reinterpret_cast<uintptr_t>(y) | reinterpret_cast<uintptr_t>(out);
  const bool has_bias = (descriptor->values[kEpilogue] & 4) != 0;
  const uint64_t bias = has_bias ? static_cast<uint64_t>(descriptor->values[kBias]) : 0;
  if (algorithm->data[0] != kMark || (addresses | bias) % algorithm->data[1] != 0) return kInvalidValue;
  if (workspace == nullptr || workspace_bytes < kWorkspaceBytes) return kInvalidValue;
  auto* product = new Product{*descriptor, *a, *b, *c, *alpha, *beta, x, y, out};
  hopwise_double_enqueue(stream, [](void* state) {
    static_cast<Product*>(state)->run();
    delete static_cast<Product*>(state);
  }, product);
  return kSuccess;
}
}
