import { join } from "node:path";
import type { StepContext } from "../components/define-step.ts";
import { GnnError } from "../errors/gnn-error.ts";
import { timesOfPlaces } from "../graph/edge-times.ts";
import { edgeSidesFile, heldOutPairsFile, heldOutTypesFile } from "../io/ingest/held-out-files.ts";
import { int64At, int64Words } from "../io/int64.ts";
import type { ArtifactDir, ManifestDraft } from "../io/manifest.ts";
import { mapNpy } from "../io/npy-map.ts";
import { StepProgress } from "../io/step-progress.ts";
import type { HeldOutNegatives } from "../links/held-out-negatives.ts";
import type { LinkSides } from "../links/link-sides.ts";
import { writeLinks } from "../links/links-artifact.ts";
import { type NodePairs, takePairs } from "../links/node-pairs.ts";
import { cutLinks, type LinkCut } from "../links/split-links.ts";
import { unlearntRelations } from "../links/unlearnt-relations.ts";
import { type GraphArtifact, mapGraphArtifact } from "../partition/graph-artifact.ts";
import { edgeTypesByPlace, inTypesOfModel } from "../partition/in-types-of-model.ts";
import type { LinkSplitChoice, LinkSplitSection, SplitLinksStepOptions } from "../spec/link-split.ts";
import type { LinksInfo } from "../spec/links-info.ts";
import { stepInput } from "./step-input.ts";

/**
 * The work of `steps/split-links.step.ts`. What is drawn depends on the seeds and on NodeIndex alone.
 *
 * @throws GnnError SPEC_INVALID with the option that leaves a side without links, or relations of a given split with
 * nothing to learn them from; TRAIN_NO_LABELS; those of `cutLinks`
 */
export async function runSplitLinksStep(step: StepContext<SplitLinksStepOptions>): Promise<ManifestDraft<LinksInfo>> {
  const { outDir } = step;
  const { types, ...options } = step.options;
  const artifact = stepInput(step.inputs, "graph");
  const progress = new StepProgress(step);
  const mapped = mapGraphArtifact(artifact);
  const graph = types ? inTypesOfModel(mapped, types) : mapped;
  const { indptr, indices, facts, edgeIds = null, nodeTypes: codes } = graph;
  const { numNodes, directed } = facts;
  if (indices.length === 0) throw refused("type", "the graph has no edges, so there are no links to learn");
  progress.report("split links", 0, indices.length, "edges");
  const { split, relations, disjoint, evaluationNegatives, keptNegatives, splitSeed } = options;
  const named = relations === "each" ? facts.edgeTypes : [];
  const edges: NodePairs = {
    src: indices.slice(),
    dst: columnsOf(indptr, indices.length),
    ...(relations === "each" && { relations: relationOfEdges(edgeTypesByPlace(graph)) }),
  };
  const cut = await cutLinks(
    { ...edges, numNodes, directed, numRelations: named.length, nodeTypes: codes && { codes, names: facts.nodeTypes } },
    {
      sides: sidesFor(split, artifact, edgeIds),
      disjoint: disjoint === null ? null : { share: disjoint, seed: splitSeed },
      negatives:
        keptNegatives === "given"
          ? givenNegatives(artifact, relations === "each" ? codesIn(mapped, facts) : null)
          : { perLink: evaluationNegatives, seed: splitSeed },
    },
  ).catch(placed);
  requireAll(cut, options);
  if (split.type === "given" && edges.relations) requireLearnt(unlearntRelations(cut, edges.relations), named);
  progress.report("split links", indices.length, indices.length, "edges");
  const blobs = await writeLinks(outDir, numNodes, { ...edges, edgeIds }, cut);
  const info: LinksInfo = {
    numNodes,
    directed,
    nodeTypes: [...(cut.groups?.names ?? [])],
    relations: [...named],
    numMessages: cut.messageRows.length,
    links: {
      train: cut.train.src.length,
      val: cut.val.positives.src.length,
      test: cut.test.positives.src.length,
    },
    negatives: { val: cut.val.negatives.src.length, test: cut.test.negatives.src.length },
    options,
  };
  return { info, blobs };
}

/** @throws GnnError SPEC_INVALID where edges have no relations */
function relationOfEdges(edgeTypes: Int32Array | null): Int32Array {
  if (edgeTypes) return edgeTypes.slice();
  throw refused(
    "relations",
    "the edges of the graph are all alike; map their relations and build it again, or choose alike",
  );
}

/** The dst of every stored edge. */
function columnsOf(indptr: BigInt64Array, numEdges: number): Int32Array {
  const offsets = int64Words(indptr);
  const columns = new Int32Array(numEdges);
  for (let node = 0; node + 1 < indptr.length; node++) {
    columns.fill(node, int64At(offsets, node), int64At(offsets, node + 1));
  }
  return columns;
}

/** @param edgeIds of the edges, where they are not all of the graph's */
function sidesFor(split: LinkSplitChoice, { dir, manifest }: ArtifactDir, edgeIds: Int32Array | null): LinkSides {
  if (split.type === "random") return split;
  const [name, what] =
    split.type === "given"
      ? [edgeSidesFile, "which side its edges are on"]
      : ["edges/time.npy", "when its edges came to be"];
  if (!manifest.blobs.some((blob) => blob.name === name)) {
    throw refused("split", `the graph does not say ${what}; map the column and build it again, or split at random`);
  }
  if (split.type === "given") {
    const { values } = mapNpy(join(dir, name), "int8");
    const sides = edgeIds ? Int8Array.from(edgeIds, (edge) => values[edge] as number) : values;
    return { type: "column", split: sides, ...(split.val !== undefined && { val: split.val }) };
  }
  const times = timesOfPlaces(mapNpy(join(dir, name), "int32").values);
  return { ...split, times: edgeIds ? Float64Array.from(edgeIds, (edge) => times[edge] as number) : times };
}

/** The place of each of a graph's relations among those that are learnt; −1: it is none of them */
function codesIn({ facts }: Pick<GraphArtifact, "facts">, learnt: GraphArtifact["facts"]): number[] {
  return facts.edgeTypes.map((name) => learnt.edgeTypes.indexOf(name));
}

/**
 * @param codeOf of each of the graph's relations that among those that are learnt, where links are told apart by them,
 * and so are these pairs; −1: pairs of it are left out
 * @throws GnnError SPEC_INVALID where the graph has no such pairs
 */
function givenNegatives({ dir, manifest }: ArtifactDir, codeOf: readonly number[] | null): HeldOutNegatives {
  const pairsOf = (side: "val" | "test"): NodePairs => {
    const name = heldOutPairsFile(side);
    if (!manifest.blobs.some((blob) => blob.name === name)) {
      throw refused("keptNegatives", "the graph has no pairs without a link; map their files and build it again");
    }
    const ends = mapNpy(join(dir, name), "int32").values;
    const end = (offset: number) => Int32Array.from({ length: ends.length / 2 }, (_, i) => ends[2 * i + offset]!);
    if (codeOf === null) return { src: end(0), dst: end(1) };
    const ofGraph = mapNpy(join(dir, heldOutTypesFile(side)), "int32").values;
    const relations = ofGraph.map((relation) => codeOf[relation] as number);
    const known = Int32Array.from(relations.keys()).filter((row) => (relations[row] as number) >= 0);
    return takePairs({ src: end(0), dst: end(1), relations }, known);
  };
  return { val: pairsOf("val"), test: pairsOf("test") };
}

/** A side that was asked for has links; so have messages. */
function requireAll({ train, val, test, messageRows }: LinkCut, { split, disjoint }: LinkSplitSection): void {
  if (split.type !== "given") {
    for (const [side, { positives }] of [
      ["val", val],
      ["test", test],
    ] as const) {
      if (split[side] === 0 || positives.src.length > 0) continue;
      throw refused(`split/${side}`, `a share of ${split[side]} leaves ${side} without a link; raise it`);
    }
  }
  if (disjoint === null) return;
  if (train.src.length === 0)
    throw refused("disjoint", `a share of ${disjoint} leaves no link to learn from; raise it`);
  if (messageRows.length === 0) throw refused("disjoint", `a share of ${disjoint} leaves no messages; lower it`);
}

/**
 * Each relation that is judged has been learnt. A split at random or by time may happen to hold out all of the few
 * links of a relation, which says nothing of the others; a given one says it of the whole relation.
 */
function requireLearnt(unlearnt: readonly number[], names: readonly string[]): void {
  if (unlearnt.length === 0) return;
  const some = unlearnt.slice(0, 5).map((relation) => `"${names[relation]}"`);
  const more = unlearnt.length > 5 ? ` and ${unlearnt.length - 5} more` : "";
  const found = `all links of ${some.join(", ")}${more} are held out, and each relation has weights of its own, which nothing would be learnt of`;
  throw refused("relations", `${found}; put some of its links on the training side, or choose alike`);
}

/** Shares were checked with the options: what is left to be asked too much of is the number of pairs without a link. */
function placed(error: unknown): never {
  if (!(error instanceof GnnError) || error.code !== "SPEC_INVALID" || error.place.pointer !== undefined) throw error;
  const pointer = "/task/evaluationNegatives";
  throw new GnnError("SPEC_INVALID", `${pointer}: ${error.message}`, { cause: error, place: { pointer } });
}

function refused(option: string, found: string): GnnError {
  const pointer = `/task/${option}`;
  return new GnnError("SPEC_INVALID", `${pointer}: ${found}.`, { place: { pointer } });
}
