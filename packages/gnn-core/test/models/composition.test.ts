import { expect, test } from "vitest";
import { type BackendName, selectBackend } from "../../src/backends/select-backend.ts";
import { Adam } from "../../src/optim/adam.ts";
import { expectClose } from "../support/check-op.ts";
import { modelVariants, trainOnBatch } from "../support/train-models.ts";

async function train(backend: BackendName, model: (typeof modelVariants)[number]) {
  await selectBackend(backend);
  return trainOnBatch(model, 4, (variables) => new Adam(variables, { lr: 0.03 }));
}

test.each(modelVariants)("$name $options trains from stock ops alone, and as on the native backend", async (model) => {
  const composed = await train("cpu", model);
  const native = await train("native", model);
  expect(native.first.length).toBe(composed.first.length);
  for (const [i, gradient] of native.first.entries()) expectClose(gradient, composed.first[i]!, 2e-4);
  expectClose(native.losses.slice(0, 1), composed.losses.slice(0, 1), 1e-4);
  // Adam's first steps are signs of the gradient: where an entry is near 0, the two go different ways.
  expectClose(native.losses, composed.losses, 0.02);
  expect(composed.losses.at(-1)!).toBeLessThan(composed.losses[0]!);
});
