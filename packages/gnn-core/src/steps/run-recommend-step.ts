import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { prepareBackend } from "../backends/prepare-backend.ts";
import { tensor } from "../backends/tf.ts";
import type { StepContext } from "../components/define-step.ts";
import { GnnError } from "../errors/gnn-error.ts";
import { ArrayWriter } from "../export/map/array-writer.ts";
import { writeNeighborLists } from "../export/neighbor-lists.ts";
import { int64At, int64Words } from "../io/int64.ts";
import type { ArtifactDir, ManifestDraft } from "../io/manifest.ts";
import { readNpy } from "../io/npy.ts";
import { mapNpy } from "../io/npy-map.ts";
import { readSafetensors } from "../io/safetensors.ts";
import { StepProgress } from "../io/step-progress.ts";
import type { LinkDecoder } from "../links/decoders/link-decoder.ts";
import { linkKit } from "../links/link-kit.ts";
import type { LinkObjective } from "../links/link-task.ts";
import { readPairs } from "../links/links-artifact.ts";
import { pairFigures } from "../links/pair-figures.ts";
import { PairIndex } from "../links/pair-index.ts";
import { type NodeRows, scorePairs } from "../links/score-pairs.ts";
import { rowsPerBlock } from "../links/score-rows.ts";
import { topNewLinks } from "../links/top-new-links.ts";
import { parseLinksInfo } from "../spec/links-info.ts";
import { type ModelInfo, readModelInfo } from "../spec/model-info.ts";
import { resolveTask } from "../spec/resolve-task.ts";
import type { RecommendedInfo } from "../spec/result-info.ts";
import { stepInput } from "./step-input.ts";

/** Bytes of scores at a time */
const maxBytes = 2 ** 24;

/**
 * The work of `steps/recommend.step.ts`, by NodeIndex:
 *
 *   neighbors, scores                  the likeliest new neighbours of every node, best first; −1 and NaN: no more
 *   pairs, pair-sides, pair-scores     held-out links (sides 2: val, 3: test) and pairs without a link (−2, −3)
 *   lists, lists-offsets               the neighbours of every node once more, by original id, to look single ones up
 */
export async function runRecommendStep(step: StepContext): Promise<ManifestDraft<RecommendedInfo>> {
  const [graph, links, model] = ["graph", "links", "model"].map((kind) => stepInput(step.inputs, kind)) as [
    ArtifactDir,
    ArtifactDir,
    ArtifactDir,
  ];
  await prepareBackend(step.rank.threads);
  const info = readModelInfo(model);
  const { component, options } = resolveTask(info.task, step.registry);
  if (component.seeds !== "edges") {
    throw new GnnError("SPEC_INVALID", `The model learnt ${component.name}, which says nothing of pairs of nodes.`);
  }
  const { directed } = parseLinksInfo(links);
  const { values: rows, shape } = await readNpy(
    join(stepInput(step.inputs, "remapped").dir, "embeddings.npy"),
    "float32",
  );
  const nodes: NodeRows = { rows, dim: shape[1] ?? 1 };
  const known = await linksOf(graph, rows.length / nodes.dim);
  const nothing = await PairIndex.of({ src: new Int32Array(), dst: new Int32Array() }, known.numNodes, true);
  const made = await component.create(options, { seen: nothing, directed, seed: info.shape.seed }, linkKit);
  const decoder = await trainedDecoder(made, model, info);
  const writer = new ArrayWriter(step.outDir);
  const { numPairs, metrics } = await writePairs(writer, { nodes, decoder, links, hitsAt: made.hitsAt });
  const perNode = component.numNewNeighbors(options);
  const progress = new StepProgress(step);
  const top = await topOfAll({ nodes, decoder, known, perNode }, progress);
  for (const { variable } of decoder.variables) variable.dispose();
  await writer.write("neighbors", "int32", top.nodes, perNode);
  await writer.write("scores", "float32", top.scores, perNode);
  const lists = await writeNeighborLists(step.outDir, graph, { ...top, perNode }, progress);
  return {
    info: { numNodes: known.numNodes, perNode, numPairs, numBuckets: lists.numBuckets, metrics },
    blobs: [...writer.written, ...lists.blobs],
  };
}

/** Every edge of the whole graph, held-out ones too: none of them is new. */
async function linksOf({ dir }: ArtifactDir, numNodes: number): Promise<PairIndex> {
  const indices = mapNpy(join(dir, "graph/indices.npy"), "int32").values;
  const offsets = int64Words(mapNpy(join(dir, "graph/indptr.npy"), "int64").values);
  const dst = new Int32Array(indices.length);
  for (let node = 0; node < numNodes; node++) dst.fill(node, int64At(offsets, node), int64At(offsets, node + 1));
  // An undirected graph is stored in both directions already.
  return PairIndex.of({ src: indices.slice(), dst }, numNodes, true);
}

async function trainedDecoder(
  { decoder: make, dim }: LinkObjective,
  { dir }: ArtifactDir,
  { shape }: ModelInfo,
): Promise<LinkDecoder> {
  const decoder = make({ dim, seed: shape.seed });
  const { tensors } = await readSafetensors(join(dir, "model.safetensors"));
  for (const { name, variable } of decoder.variables) {
    const weight = tensors.get(name);
    if (weight?.shape.join() !== variable.shape.join()) {
      throw new GnnError("CHECKPOINT_INVALID", `The model has no ${name} of shape [${variable.shape.join(", ")}].`);
    }
    const value = tensor(weight.values.slice(), variable.shape, "float32");
    variable.assign(value);
    value.dispose();
  }
  return decoder;
}

interface Scoring {
  readonly nodes: NodeRows;
  readonly decoder: LinkDecoder;
}

async function writePairs(
  writer: ArrayWriter,
  {
    nodes,
    decoder,
    links,
    hitsAt,
  }: Scoring & { readonly links: ArtifactDir; readonly hitsAt: readonly number[] | undefined },
): Promise<Pick<RecommendedInfo, "numPairs" | "metrics">> {
  const metrics: Record<string, number | null> = {};
  const [ends, sides, scores]: [number[], number[], number[]] = [[], [], []];
  for (const [split, side] of [
    ["val", 2],
    ["test", 3],
  ] as const) {
    const scored = [];
    for (const [name, sign] of [
      [split, 1],
      [`${split}-negatives`, -1],
    ] as const) {
      const pairs = readPairs(links, name);
      const found = await scorePairs(nodes, decoder, pairs);
      scored.push(found);
      for (let i = 0; i < found.length; i++) {
        ends.push(pairs.src[i]!, pairs.dst[i]!);
        sides.push(sign * side);
        scores.push(found[i]!);
      }
    }
    const [positives, negatives] = scored as [Float32Array, Float32Array];
    for (const [name, value] of Object.entries(pairFigures(positives, negatives, hitsAt)))
      metrics[`${split}/${name}`] = value;
  }
  await writer.write("pairs", "int32", Int32Array.from(ends), 2);
  await writer.write("pair-sides", "int8", Int8Array.from(sides));
  await writer.write("pair-scores", "float32", Float32Array.from(scores));
  return { numPairs: scores.length, metrics };
}

/** Block by block, so that progress is told and a cancelled job ends soon. */
async function topOfAll(
  { nodes, decoder, known, perNode }: Scoring & { readonly known: PairIndex; readonly perNode: number },
  progress: StepProgress,
) {
  const { numNodes } = known;
  const scoring = { nodes, decoder, known, maxBytes };
  const top = { nodes: new Int32Array(numNodes * perNode), scores: new Float32Array(numNodes * perNode) };
  const perBlock = rowsPerBlock(scoring);
  for (let first = 0; first < numNodes; first += perBlock) {
    const sources = Int32Array.from({ length: Math.min(perBlock, numNodes - first) }, (_, i) => first + i);
    const found = topNewLinks(scoring, sources, perNode);
    top.nodes.set(found.nodes, first * perNode);
    top.scores.set(found.scores, first * perNode);
    progress.report("find new neighbours", first + sources.length, numNodes, "nodes");
    await nextTurn();
  }
  return top;
}
