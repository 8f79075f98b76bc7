import type { KvsAllAttrs } from "../../../ops/k-vs-all.ts";
import { runKernel } from "../../run-kernel.ts";
import type { Tensor } from "../../tf.ts";
import { registerNativeGradient, registerNativeKernel } from "../native-kernel.ts";

const allAlike = new Int32Array();

interface KvsAllGradAttrs {
  readonly shapes: { readonly queries: number[]; readonly candidates: number[] };
}

registerNativeKernel<"queries" | "candidates", KvsAllAttrs>("KVsAll", ({ inputs, attrs, backend, addon }) => {
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
    starts,
    targets,
    groups?.numGroups ?? 1,
    groups && groups.numGroups > 1 ? groups.groupOf : allAlike,
    loss.values,
    dQueries.values,
    dCandidates.values,
  );
  return [loss.info, dQueries.info, dCandidates.info];
});

registerNativeKernel<"dy" | "dQueries" | "dCandidates", KvsAllGradAttrs>(
  "KVsAllGrad",
  ({ inputs, attrs: { shapes }, backend }) => {
    const scale = backend.scalar(inputs.dy);
    const scaled = (saved: { dataId: object }, shape: number[]) => {
      const { info, values } = backend.allocate(shape);
      const from = backend.floats(saved);
      for (let i = 0; i < values.length; i++) values[i] = scale * (from[i] as number);
      return info;
    };
    return [scaled(inputs.dQueries, shapes.queries), scaled(inputs.dCandidates, shapes.candidates)];
  },
);

registerNativeGradient(
  "KVsAll",
  { inputsToSave: ["queries", "candidates"], outputsToSave: [false, true, true] },
  (dy, [queries, candidates, dQueries, dCandidates], _attrs) => {
    const shapes = { queries: queries?.shape, candidates: candidates?.shape };
    const inputs = { dy, dQueries, dCandidates } as Record<string, Tensor>;
    const [ofQueries, ofCandidates] = runKernel("KVsAllGrad", inputs, { shapes }) as [Tensor, Tensor];
    return { queries: ofQueries, candidates: ofCandidates };
  },
);
