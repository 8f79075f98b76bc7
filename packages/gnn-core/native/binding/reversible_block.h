#pragma once
#include "arguments.h"

namespace hopwise {

// A block with its edges by src, which gradients walk.
inline gnn::BlockView reversible_block(Arguments& arguments, bool any_sizes = false) {
  const gnn::BlockView block = arguments.block(any_sizes);
  if (block.reverse_indptr == nullptr)
    arguments.fail("block lacks its edges by src, reverse.indptr and reverse.indices.");
  return block;
}

}  // namespace hopwise
