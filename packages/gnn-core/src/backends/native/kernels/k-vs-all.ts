import type { KvsAllAttrs } from "../../../ops/k-vs-all.ts";
import { registerSharedKernel } from "../native-kernel.ts";
import { registerKeptGradients } from "./kept-gradients.ts";

const allAlike = new Int32Array();

registerSharedKernel<"queries" | "candidates", KvsAllAttrs>("KVsAll", ({ inputs, attrs, backend, addon }) => {
  const { queries, candidates } = inputs;
  const [numQueries, dim] = queries.shape as [number, number];
  const [numCandidates] = candidates.shape as [number, number];
  const { kind, smoothing, starts, targets, groups } = attrs;
  const loss = backend.allocate([]);
  const dQueries = backend.allocateSaved(numQueries * dim);
  const dCandidates = backend.allocateSaved(numCandidates * dim);
  addon.kVsAll(
    kind === "binary",
    smoothing,
    numQueries,
    numCandidates,
    dim,
    backend.floats(queries),
    backend.floats(candidates),
    targets.length,
    backend.constantInts(starts),
    backend.constantInts(targets),
    groups?.numGroups ?? 1,
    backend.constantInts(groups && groups.numGroups > 1 ? groups.groupOf : allAlike),
    loss.values,
    dQueries.values,
    dCandidates.values,
  );
  return [loss.info, dQueries.info, dCandidates.info];
});

registerKeptGradients("KVsAll", ["queries", "candidates"]);
