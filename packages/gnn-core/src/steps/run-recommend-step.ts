import { join } from "node:path";
import { prepareBackend } from "../backends/prepare-backend.ts";
import { tensor } from "../backends/tf.ts";
import type { StepContext } from "../components/define-step.ts";
import { GnnError } from "../errors/gnn-error.ts";
import { ArrayWriter } from "../export/map/array-writer.ts";
import { writeNeighborLists } from "../export/neighbor-lists.ts";
import { PairIndex } from "../graph/pair-index.ts";
import { numCodesOf } from "../graph/turned-relation.ts";
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
import { NodeGroups } from "../links/node-groups.ts";
import { type ReachedType, reachedTypes } from "../links/reached-types.ts";
import type { NodeRows } from "../links/score-pairs.ts";
import { topOfAll } from "../links/top-of-all.ts";
import { type GraphArtifact, mapGraphArtifact } from "../partition/graph-artifact.ts";
import { edgeTypesByPlace, inTypesOfModel } from "../partition/in-types-of-model.ts";
import { parseLinksInfo } from "../spec/links-info.ts";
import { type ModelInfo, readModelInfo } from "../spec/model-info.ts";
import { resolveTask } from "../spec/resolve-task.ts";
import type { ReachedTypeInfo, RecommendedInfo } from "../spec/result-info.ts";
import type { RecommendStepOptions } from "./recommend.step.ts";
import { stepInput } from "./step-input.ts";
import { writeHeldOutPairs } from "./write-held-out-pairs.ts";

/** Bytes of scores at a time */
const maxBytes = 2 ** 24;

/**
 * The work of `steps/recommend.step.ts`, by NodeIndex:
 *
 *   neighbors, scores                  the likeliest new neighbours of every node, best first; −1 and NaN: no more.
 *                                      Where nodes have types: a list for each type that relations lead to
 *   reached                            where links are told apart by relation: the place in `reached` of the manifest
 *                                      of the relation in which the neighbour scores best, −1: no more
 *   pairs, pair-sides, pair-scores     held-out links (sides 2: val, 3: test) and pairs without a link (−2, −3)
 *   lists, lists-offsets               the neighbours of every node once more, by original id, to look single ones up
 */
export async function runRecommendStep(
  step: StepContext<RecommendStepOptions>,
): Promise<ManifestDraft<RecommendedInfo>> {
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
  const { directed, relations: toldApart } = parseLinksInfo(links);
  const tellsRelations = toldApart.length > 0;
  const { values: rows, shape } = await readNpy(
    join(stepInput(step.inputs, "remapped").dir, "embeddings.npy"),
    "float32",
  );
  const nodes: NodeRows = { rows, dim: shape[1] ?? 1 };
  const stored = mapGraphArtifact(graph);
  const typed = step.options.types ? inTypesOfModel(stored, step.options.types) : stored;
  const edges = edgesOf(typed);
  // An undirected graph is stored in both directions already. Held-out links are not new either, nor are those of
  // relations that the model has not learnt.
  const known = await PairIndex.of(edgesOf(stored).pairs, stored.facts.numNodes, true);
  const groups = readNodeGroups(links, null) ?? (tellsRelations ? oneGroup(typed) : null);
  const nothing = await PairIndex.of({ src: new Int32Array(), dst: new Int32Array() }, known.numNodes, true);
  const made = await component.create(options, { seen: nothing, groups, directed, seed: info.shape.seed }, linkKit);
  const numRelations = tellsRelations ? numCodesOf({ numRelations: toldApart.length, directed }) : 1;
  const decoder = await trainedDecoder(made, { model, info, numRelations });
  const writer = new ArrayWriter(step.outDir);
  const relations = edges.types && { names: edges.relations, between: relationsBetween({ ...edges, directed }) };
  const judged = await writeHeldOutPairs(writer, { nodes, decoder, links, relations, hitsAt: made.hitsAt });
  const perType = step.options.newNeighbors ?? component.numNewNeighbors(options);
  const progress = new StepProgress(step);
  const reachable = groups && { groups, reached: reachedTypes(edges.pairs, groups, edges.types) };
  const scoring = { nodes, decoder, known, maxBytes };
  const top = await topOfAll({ scoring, perType, typed: reachable, tellsRelations }, (done, total) =>
    progress.report("find new neighbours", done, total, "nodes"),
  );
  for (const { variable } of decoder.variables) variable.dispose();
  const { perNode } = top;
  await writer.write("neighbors", "int32", top.nodes, perNode);
  await writer.write("scores", "float32", top.scores, perNode);
  if (top.reachedAt) await writer.write("reached", "int32", top.reachedAt, perNode);
  const lists = await writeNeighborLists(step.outDir, graph, { ...top, perType, typed: reachable }, progress);
  const reached = reachable ? namesOf(reachable, edges.relations, tellsRelations) : [];
  const { numNodes } = known;
  return {
    info: { numNodes, perNode, perType, reached, numBuckets: lists.numBuckets, ...judged },
    blobs: [...writer.written, ...lists.blobs],
  };
}

/** Every edge of a graph, held-out ones too, with its relation. */
function edgesOf(graph: GraphArtifact) {
  const { indptr, indices, facts } = graph;
  const offsets = int64Words(indptr);
  const dst = new Int32Array(indices.length);
  for (let node = 0; node < facts.numNodes; node++) dst.fill(node, int64At(offsets, node), int64At(offsets, node + 1));
  const types = edgeTypesByPlace(graph);
  return { pairs: { src: indices.slice(), dst }, indptr, indices, types, relations: facts.edgeTypes };
}

/** All nodes as the one type that they are of. */
function oneGroup({ facts: { numNodes, nodeTypes } }: GraphArtifact): NodeGroups {
  return NodeGroups.single(numNodes, nodeTypes[0] ?? "node");
}

function namesOf(
  { groups, reached }: { readonly groups: NodeGroups; readonly reached: readonly ReachedType[] },
  edgeTypes: readonly string[],
  tellsRelations: boolean,
): ReachedTypeInfo[] {
  return reached.flatMap(({ source, target, relations }) => {
    const names = relations.map((relation) => edgeTypes[relation] as string);
    const between = { source: groups.names[source] as string, target: groups.names[target] as string };
    return tellsRelations
      ? names.map((name) => ({ ...between, relations: [name] }))
      : [{ ...between, relations: names }];
  });
}

async function trainedDecoder(
  { decoder: make, dim }: LinkObjective,
  trained: { readonly model: ArtifactDir; readonly info: ModelInfo; readonly numRelations: number },
): Promise<LinkDecoder> {
  const { model, info, numRelations } = trained;
  const decoder = make({ dim, seed: info.shape.seed, numRelations });
  const { tensors } = await readSafetensors(join(model.dir, "model.safetensors"));
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
