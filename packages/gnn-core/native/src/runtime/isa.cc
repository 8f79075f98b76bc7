#include "gnn/runtime/isa.h"

namespace gnn {
namespace {

// Resolved by the same rule as the kernels, so that it cannot disagree with them.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && defined(__gnu_linux__)
__attribute__((target("arch=skylake-avx512"))) const char* chosen() { return "avx512"; }
__attribute__((target("arch=haswell"))) const char* chosen() { return "avx2"; }
__attribute__((target("default"))) const char* chosen() { return "portable"; }
#else
const char* chosen() { return "portable"; }
#endif

}  // namespace

const char* isa() { return chosen(); }

}  // namespace gnn
