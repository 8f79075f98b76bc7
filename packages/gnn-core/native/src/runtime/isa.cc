#include "gnn/runtime/isa.h"

namespace gnn {
namespace {

// Resolved by the same rule as the kernels, so that it cannot disagree with them.
#if !defined(GNN_PORTABLE) && defined(__x86_64__) && __GNUC__ >= 12 && !defined(__clang__) && defined(__gnu_linux__)
__attribute__((target("arch=x86-64-v4"))) const char* chosen() { return "avx512"; }
__attribute__((target("arch=x86-64-v3"))) const char* chosen() { return "avx2"; }
__attribute__((target("default"))) const char* chosen() { return "portable"; }
#else
const char* chosen() { return "portable"; }
#endif

}  // namespace

const char* isa() { return chosen(); }

}  // namespace gnn
