import { join } from "node:path";
import type { StepContext } from "../components/define-step.ts";
import type { Registry } from "../components/registry.ts";
import { GnnError } from "../errors/gnn-error.ts";
import { matchRows } from "../export/match-rows.ts";
import { type NodeNames, nodeNames } from "../export/node-names.ts";
import { csvField, writeLines } from "../export/write-csv.ts";
import { unknownType } from "../graph/unknown-type.ts";
import type { ManifestDraft } from "../io/manifest.ts";
import { readNpy } from "../io/npy.ts";
import { StepProgress } from "../io/step-progress.ts";
import { type ModelInfo, readModelInfo } from "../spec/model-info.ts";
import type { MatchedRowsInfo, RowNames, RowsOf } from "../spec/row-names.ts";
import { numHopsOf } from "../train/build-components.ts";
import { writeMatchedRows } from "../train/matched-rows-file.ts";
import { stepInput } from "./step-input.ts";

const shownIds = 5;
const linesPerWrite = 10_000;

/**
 * The work of `steps/match-rows.step.ts`:
 *
 *   nodes.npy or types.npy   int32 [nodes] by GlobalId: the learned row of the model, −1: it has none of the node
 *   unseen.csv               the nodes that would have a row and have none, in the order of the dataset
 *
 * @throws GnnError SPEC_INVALID when the model does not say whose its rows are; DATASET_NODE_UNKNOWN when not one of
 * them is of a node of the graph; CANCELLED
 */
export async function runMatchRowsStep(step: StepContext): Promise<ManifestDraft<MatchedRowsInfo>> {
  const { inputs, outDir, registry } = step;
  const [graph, model] = [stepInput(inputs, "graph"), stepInput(inputs, "model")];
  const info = readModelInfo(model);
  const nodeMap = (await readNpy(join(stepInput(inputs, "parts").dir, "node_map.npy"), "int32")).values;
  const progress = new StepProgress(step);
  const { rows, names: learned } = namedRows(info);
  const onRead = (done: number) => progress.report("match rows", done, nodeMap.length, "nodes");
  const found = await matchRows(graph, model.dir, { rows, names: learned }, onRead);
  const rowOf = nodeMap.map((node) => found.rowOf[node] as number);
  const names = nodeNames(graph);
  if (found.numKnown === 0 && found.unseen.length > 0) throw nothingKnown(names, found.unseen, learned.count);
  await writeUnseen(join(outDir, "unseen.csv"), names, found.unseen);
  return {
    info: {
      numNodes: found.numKnown + found.unseen.length,
      numKnown: found.numKnown,
      numUnseen: found.unseen.length,
      unseenIds: Array.from(found.unseen.subarray(0, shownIds), names.shownId),
      numUnused: learned.count - found.numKnown,
      withoutRow: withoutRowOf(info, registry),
    },
    blobs: [await writeMatchedRows(outDir, rows, rowOf), { name: "unseen.csv" }],
  };
}

/** A model has rows of either kind: those of `features.embedding` stand beside features that all nodes have. */
function namedRows({ learnedRows }: ModelInfo): { readonly rows: RowsOf; readonly names: RowNames } {
  if (learnedRows?.nodes) return { rows: "nodes", names: learnedRows.nodes };
  if (learnedRows?.types) return { rows: "types", names: learnedRows.types };
  throw withoutNames();
}

/** Nodes have nothing else that the model reads: no features, and no columns made from the edges. */
function readsRowsAlone({ embedding, shape }: ModelInfo): boolean {
  return embedding !== null && shape.inDim === embedding.dim;
}

function withoutRowOf(info: ModelInfo, registry: Registry): MatchedRowsInfo["withoutRow"] {
  if (info.embedding && !readsRowsAlone(info)) return "features";
  return numHopsOf(info.model, registry) > 0 ? "neighbors" : "nothing";
}

async function writeUnseen(path: string, { nodeTypes, typeOf, shownId }: NodeNames, unseen: Int32Array): Promise<void> {
  const hasTypes = nodeTypes.length > 0;
  const lineOf = (node: number) => {
    const id = csvField(shownId(node));
    return hasTypes ? `${id},${csvField(nodeTypes[typeOf(node)] ?? unknownType)}\n` : `${id}\n`;
  };
  await writeLines(path, lines());

  async function* lines(): AsyncGenerator<string> {
    yield hasTypes ? "id,type\n" : "id\n";
    for (let first = 0; first < unseen.length; first += linesPerWrite) {
      yield Array.from(unseen.subarray(first, first + linesPerWrite), lineOf).join("");
    }
  }
}

function withoutNames(): GnnError {
  const message =
    "/model: The model does not say whose its learned rows are: it was trained by an earlier version. Train it again.";
  return new GnnError("SPEC_INVALID", message, { place: { pointer: "/model" } });
}

function nothingKnown({ shownId }: NodeNames, unseen: Int32Array, numLearned: number): GnnError {
  const some = Array.from(unseen.subarray(0, shownIds), (node) => JSON.stringify(shownId(node).slice(0, 100)));
  const ids = [...some, ...(unseen.length > some.length ? ["…"] : [])].join(", ");
  const message = `/dataset: The model has learned rows of ${numLearned} nodes, and not one of them is in this graph, whose ids are ${ids}. Apply it to data whose nodes have the ids that they had when it was trained.`;
  return new GnnError("DATASET_NODE_UNKNOWN", message, { place: { pointer: "/dataset" } });
}
