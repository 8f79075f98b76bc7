#pragma once
// Kernels marked GNN_MULTIVERSION are compiled for several instruction sets; the loader picks one for this machine.
#if !defined(GNN_PORTABLE) && defined(__x86_64__) && __GNUC__ >= 12 && !defined(__clang__) && defined(__gnu_linux__)
#define GNN_MULTIVERSION __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define GNN_MULTIVERSION
#endif

namespace gnn {

// "avx512", "avx2" or "portable": the version that GNN_MULTIVERSION kernels run. Equal bits need equal values.
const char* isa();

}  // namespace gnn
