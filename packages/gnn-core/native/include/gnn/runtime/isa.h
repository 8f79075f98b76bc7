#pragma once
// Kernels marked GNN_MULTIVERSION are compiled for several instruction sets; the loader picks one for this machine.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && defined(__gnu_linux__)
#define GNN_MULTIVERSION __attribute__((target_clones("arch=skylake-avx512", "arch=haswell", "default")))
#else
#define GNN_MULTIVERSION
#endif

namespace gnn {

// "avx512", "avx2" or "portable": the version that GNN_MULTIVERSION kernels run. Equal bits need equal values.
const char* isa();

}  // namespace gnn
