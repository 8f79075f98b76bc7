import type { SharedSoftmaxAttrs } from "../../../ops/shared-softmax.ts";
import { mul, type Tensor } from "../../tf.ts";
import { registerNativeGradient, registerNativeKernel } from "../native-kernel.ts";

const rows = ["queries", "own", "candidates"] as const;
type Rows = (typeof rows)[number];

registerNativeKernel<Rows, SharedSoftmaxAttrs>("SharedSoftmax", ({ inputs, attrs, backend, addon }) => {
  const { queries, own, candidates } = inputs;
  const [numQueries, dim] = queries.shape as [number, number];
  const [numCandidates] = candidates.shape as [number, number];
  const { starts, left } = attrs;
  const loss = backend.allocate([]);
  const ofQueries = backend.allocate(queries.shape);
  const ofOwn = backend.allocate(own.shape);
  const ofCandidates = backend.allocate(candidates.shape);
  addon.sharedSoftmax(
    ...([numQueries, numCandidates, dim] as const),
    ...([backend.floats(queries), backend.floats(own), backend.floats(candidates)] as const),
    ...([left.length, starts, left, loss.values] as const),
    ...([ofQueries.values, ofOwn.values, ofCandidates.values] as const),
  );
  return [loss.info, ofQueries.info, ofOwn.info, ofCandidates.info];
});

registerNativeGradient(
  "SharedSoftmax",
  { inputsToSave: [], outputsToSave: [false, true, true, true] },
  (dy, saved, _attrs) =>
    Object.fromEntries(rows.map((name, i) => [name, mul(saved[i] as Tensor, dy)])) as Record<Rows, Tensor>,
);
