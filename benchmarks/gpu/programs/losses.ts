/** The losses of 20 steps of four models on the device, and those of the native backend. They agree within 10⁻⁴. */
import { selectBackend } from "../../../packages/gnn-core/src/backends/select-backend.ts";
import { usePrecision } from "../../../packages/gnn-core/src/train/precision.ts";
import { Trainer } from "../../../packages/gnn-core/src/train/trainer.ts";
import { communityData } from "../../../packages/gnn-core/test/train/support/community-data.ts";
import { optionsOf } from "../../../packages/gnn-core/test/train/support/train-ranks.ts";
import { device, isSmall, rounded, tell } from "./arguments.ts";

const tolerance = 1e-4;
const size = isSmall
  ? { numNodes: 40, numClasses: 3, dim: 6, numTrain: 20, degree: 4 }
  : { numNodes: 4000, numClasses: 10, dim: 100, numTrain: 1000, degree: 12 };
const hidden = { hiddenFeats: isSmall ? 8 : 128 };
const models = {
  sage: { type: "sage", options: { ...hidden, numLayers: 3, dropout: 0.2 } },
  gcn: { type: "gcn", options: { ...hidden, dropout: 0.2 } },
  gat: { type: "gat", options: { ...hidden, heads: 2 } },
  gin: { type: "gin", options: hidden },
} as const;
type ModelName = keyof typeof models;
const names = isSmall ? (["sage"] as const) : (Object.keys(models) as ModelName[]);

async function lossesOf(name: ModelName): Promise<number[]> {
  const numLayers = name === "sage" ? 3 : 2;
  const options = optionsOf({
    model: models[name],
    sampling: { type: "neighbor", options: { fanouts: [10, 5, 3].slice(0, numLayers) } },
    // One step an epoch, so that each epoch's loss is a step's.
    train: { epochs: 20, batchSize: size.numTrain, evaluate: { everyEpochs: 20 } },
  });
  const trainer = await Trainer.create({ data: await communityData(size), options });
  const losses: number[] = [];
  await trainer.fit({
    onEvent: (event) => {
      const loss = event.type === "metrics" ? event.values["train/loss"] : undefined;
      if (typeof loss === "number") losses.push(loss);
    },
  });
  trainer.dispose();
  return losses;
}

await selectBackend("native");
const expected = new Map<ModelName, number[]>();
for (const name of names) expected.set(name, await lossesOf(name));
await selectBackend("cuda", device);
// The first that the process asks of the device: whoever chooses a precision does so before anything ran there.
if (!isSmall) usePrecision("tf32");
for (const name of names) {
  const losses = await lossesOf(name);
  const apart = losses.map((loss, i) => Math.abs(loss - (expected.get(name)?.[i] as number)));
  const largest = Math.max(...apart);
  tell({
    name,
    steps: losses.length,
    first: rounded(losses[0] as number),
    last: rounded(losses.at(-1) as number),
    largestDifference: rounded(largest),
  });
  if (!(losses.length === 20 && largest < tolerance)) process.exitCode = 1;
}
