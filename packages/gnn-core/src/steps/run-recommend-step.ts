import { join } from "node:path";
import { prepareBackend } from "../backends/prepare-backend.ts";
import { tensor } from "../backends/tf.ts";
import type { StepContext } from "../components/define-step.ts";
import { GnnError } from "../errors/gnn-error.ts";
import { ArrayWriter } from "../export/map/array-writer.ts";
import { writeNeighborLists } from "../export/neighbor-lists.ts";
import { int64At, int64Words } from "../io/int64.ts";
import type { ArtifactDir, ManifestDraft } from "../io/manifest.ts";
import { readNpy } from "../io/npy.ts";
import { readSafetensors } from "../io/safetensors.ts";
import { StepProgress } from "../io/step-progress.ts";
import type { LinkDecoder } from "../links/decoders/link-decoder.ts";
import { relationsBetween } from "../links/edge-relations.ts";
import { linkKit } from "../links/link-kit.ts";
import type { LinkObjective } from "../links/link-task.ts";
import { readNodeGroups } from "../links/link-types-file.ts";
import type { NodeGroups } from "../links/node-groups.ts";
import { PairIndex } from "../links/pair-index.ts";
import { type ReachedType, reachedTypes } from "../links/reached-types.ts";
import type { NodeRows } from "../links/score-pairs.ts";
import { topOfAll } from "../links/top-of-all.ts";
import { mapGraphArtifact } from "../partition/graph-artifact.ts";
import { parseLinksInfo } from "../spec/links-info.ts";
import { type ModelInfo, readModelInfo } from "../spec/model-info.ts";
import { resolveTask } from "../spec/resolve-task.ts";
import type { ReachedTypeInfo, RecommendedInfo } from "../spec/result-info.ts";
import { stepInput } from "./step-input.ts";
import { writeHeldOutPairs } from "./write-held-out-pairs.ts";

/** Bytes of scores at a time */
const maxBytes = 2 ** 24;

/**
 * The work of `steps/recommend.step.ts`, by NodeIndex:
 *
 *   neighbors, scores                  the likeliest new neighbours of every node, best first; −1 and NaN: no more.
 *                                      Where nodes have types: a list for each type that relations lead to
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
  const edges = edgesOf(graph, rows.length / nodes.dim);
  // An undirected graph is stored in both directions already. Held-out links are not new either.
  const known = await PairIndex.of(edges, rows.length / nodes.dim, true);
  const groups = readNodeGroups(links, null);
  const nothing = await PairIndex.of({ src: new Int32Array(), dst: new Int32Array() }, known.numNodes, true);
  const made = await component.create(options, { seen: nothing, groups, directed, seed: info.shape.seed }, linkKit);
  const decoder = await trainedDecoder(made, model, info);
  const writer = new ArrayWriter(step.outDir);
  const relations = edges.types && { names: edges.relations, between: relationsBetween({ ...edges, directed }) };
  const judged = await writeHeldOutPairs(writer, { nodes, decoder, links, relations, hitsAt: made.hitsAt });
  const perType = component.numNewNeighbors(options);
  const progress = new StepProgress(step);
  const typed = groups && { groups, reached: reachedTypes(edges, groups, edges.types) };
  const scoring = { nodes, decoder, known, maxBytes };
  const top = await topOfAll({ scoring, perType, typed }, (done, total) =>
    progress.report("find new neighbours", done, total, "nodes"),
  );
  for (const { variable } of decoder.variables) variable.dispose();
  const { perNode } = top;
  await writer.write("neighbors", "int32", top.nodes, perNode);
  await writer.write("scores", "float32", top.scores, perNode);
  const lists = await writeNeighborLists(step.outDir, graph, { ...top, perType, typed }, progress);
  const reached = typed ? namesOf(typed, edges.relations) : [];
  const { numNodes } = known;
  return {
    info: { numNodes, perNode, perType, reached, numBuckets: lists.numBuckets, ...judged },
    blobs: [...writer.written, ...lists.blobs],
  };
}

/** Every edge of the whole graph, held-out ones too, with its relation. */
function edgesOf(graph: ArtifactDir, numNodes: number) {
  const { indptr, indices, edgeTypes, facts } = mapGraphArtifact(graph);
  const offsets = int64Words(indptr);
  const dst = new Int32Array(indices.length);
  for (let node = 0; node < numNodes; node++) dst.fill(node, int64At(offsets, node), int64At(offsets, node + 1));
  return { src: indices.slice(), dst, indptr, indices, types: edgeTypes, relations: facts.edgeTypes };
}

function namesOf(
  { groups, reached }: { readonly groups: NodeGroups; readonly reached: readonly ReachedType[] },
  edgeTypes: readonly string[],
): ReachedTypeInfo[] {
  return reached.map(({ source, target, relations }) => ({
    source: groups.names[source] as string,
    target: groups.names[target] as string,
    relations: relations.map((relation) => edgeTypes[relation] as string),
  }));
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
