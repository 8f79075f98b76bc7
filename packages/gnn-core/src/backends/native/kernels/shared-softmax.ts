import type { SharedSoftmaxAttrs } from "../../../ops/shared-softmax.ts";
import { registerSharedKernel } from "../native-kernel.ts";
import { registerKeptGradients } from "./kept-gradients.ts";

const rows = ["queries", "own", "candidates"] as const;

registerSharedKernel<(typeof rows)[number], SharedSoftmaxAttrs>(
  "SharedSoftmax",
  ({ inputs: { queries, own, candidates }, attrs: { starts, left }, backend, addon }) => {
    const [numQueries, dim] = queries.shape as [number, number];
    const [numCandidates] = candidates.shape as [number, number];
    const loss = backend.allocate([]);
    const ofQueries = backend.allocateSaved(numQueries * dim);
    const ofOwn = backend.allocateSaved(numQueries * dim);
    const ofCandidates = backend.allocateSaved(numCandidates * dim);
    addon.sharedSoftmax(
      ...([numQueries, numCandidates, dim] as const),
      ...([backend.floats(queries), backend.floats(own), backend.floats(candidates)] as const),
      ...([left.length, backend.constantInts(starts), backend.constantInts(left), loss.values] as const),
      ...([ofQueries.values, ofOwn.values, ofCandidates.values] as const),
    );
    return [loss.info, ofQueries.info, ofOwn.info, ofCandidates.info];
  },
);

registerKeptGradients("SharedSoftmax", rows);
