#include <metis.h>
#include <setjmp.h>

#include <string>

#include "gnn/partition/metis.h"

// While METIS works it replaces the process' SIGTERM and SIGABRT handlers by a longjmp into its own frame: a SIGTERM
// that the main thread receives meanwhile then ends the process with a segmentation fault. These definitions come
// before METIS' own in symbol lookup and leave signals alone; its errors still jump back to its entry point, which
// returns METIS_ERROR. They stand before METIS' own only if they can be seen: the library hides what does not say so.
#pragma GCC visibility push(default)
extern "C" {
extern __thread int gk_cur_jbufs;
extern __thread jmp_buf gk_jbufs[];

int gk_sigtrap() {
  ++gk_cur_jbufs;
  return 1;
}

int gk_siguntrap() {
  --gk_cur_jbufs;
  return 1;
}

[[noreturn]] void gk_errexit(int signal, char*, ...) { longjmp(gk_jbufs[gk_cur_jbufs], signal); }
}
#pragma GCC visibility pop

namespace gnn {

static_assert(sizeof(idx_t) == sizeof(int32_t), "this library passes METIS 32-bit indices");

std::vector<int32_t> metis_partition(const int32_t* xadj, const int32_t* adjncy, const int32_t* node_weights,
                                     int32_t num_nodes, const MetisOptions& wanted) {
  idx_t num_constraints = wanted.num_constraints, num_parts = wanted.num_parts, objective = 0;
  idx_t options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_OBJTYPE] = wanted.minimize_volume ? METIS_OBJTYPE_VOL : METIS_OBJTYPE_CUT;
  options[METIS_OPTION_SEED] = wanted.seed;
  options[METIS_OPTION_NUMBERING] = 0;
  if (wanted.print_levels) options[METIS_OPTION_DBGLVL] = METIS_DBG_COARSEN | METIS_DBG_REFINE;
  std::vector<idx_t> assignment(num_nodes);
  const auto partition = wanted.recursive ? METIS_PartGraphRecursive : METIS_PartGraphKway;
  // METIS' signature is not const; it does not write to the graph with C numbering.
  const int status = partition(&num_nodes, &num_constraints, const_cast<idx_t*>(xadj), const_cast<idx_t*>(adjncy),
                               const_cast<idx_t*>(node_weights), nullptr, nullptr, &num_parts, nullptr, nullptr,
                               options, &objective, assignment.data());
  if (status == METIS_ERROR_MEMORY) {
    throw Error("PARTITION_TOO_LARGE",
                "METIS ran out of memory; use fewer balance constraints or the streaming partitioner.");
  }
  if (status != METIS_OK) throw Error("PARTITION_FAILED", "METIS returned " + std::to_string(status) + ".");
  return assignment;
}

}  // namespace gnn
