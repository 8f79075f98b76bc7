import { createHash } from "node:crypto";
import { GnnError } from "../errors/gnn-error.ts";
import { numCodesOf } from "../graph/turned-relation.ts";
import type { LinkDecoder } from "../links/decoders/link-decoder.ts";
import type { LinkLearning } from "../links/link-task.ts";
import { typeNamed } from "../links/recommendation-figures.ts";
import type { GnnModel } from "../nn/model.ts";
import type { ResolvedSetup } from "./trainer-setup.ts";

const untimedColumns =
  "columns made from all edges would tell of those that come after a link; have rows learned, or map features";

/**
 * Makes the decoder, and refuses what would leak or cannot be.
 *
 * @throws GnnError SPEC_INVALID with the pointer of what does not go with links
 */
export function makeDecoder(links: LinkLearning, { data, options, registry, sampler }: ResolvedSetup): LinkDecoder {
  const { split, dim, decoder: make } = links;
  const refuse = (pointer: string, found: string): never => {
    throw new GnnError("SPEC_INVALID", `${pointer}: ${found}.`, { place: { pointer } });
  };
  if (data.graph !== split.graph) {
    refuse(
      "/links/split",
      "messages would go along another graph than the split's; pass split.graph as the data's graph",
    );
  }
  const { type } = options.sampling;
  if (registry.get("sampler", type).createPass || registry.get("sampler", type).plansEpochs) {
    refuse("/sampling/type", `${type} keeps sums or plans batches of nodes; links are learnt from neighbor and full`);
  }
  if (registry.get("sampler", type).needsTimes) {
    if (sampler) refuse("/sampler", `${type} draws from before the time of a link, which the ranks do; leave it out`);
    if (!split.times) {
      refuse("/sampling/type", `${type} draws from before the time of a link, and the links are not split by time`);
    }
    if (options.features.structural) refuse("/features/structural", untimedColumns);
  }
  if (options.train.evaluate.mode === "sampled") {
    refuse("/train/evaluate/mode", "links are judged exactly, which sampled is not; choose layerwise");
  }
  const readsAll = links.oneVsAll ? "oneVsAll" : links.kVsAll ? "kVsAll" : null;
  if (readsAll && split.times) {
    refuse(`/links/${readsAll}`, "rows of all nodes have no time, and the links are split by time; draw negatives");
  }
  if (links.recommends?.to) typeNamed(links.recommends.to, split.groups);
  const { numRelations } = split;
  const decoder = make({
    dim,
    seed: options.train.seed,
    ...(numRelations !== null && { numRelations: numCodesOf({ ...split, numRelations }) }),
  });
  if (readsAll && !decoder.product) {
    for (const { variable } of decoder.variables) variable.dispose();
    return refuse("/links/decoder", "its scores of all nodes are no product; choose dot, cosine, distMult or complEx");
  }
  if (split.directed || split.numRelations !== null || decoder.isSymmetric) return decoder;
  for (const { variable } of decoder.variables) variable.dispose();
  return refuse(
    "/links/decoder",
    "it scores u → v and v → u apart, and the graph is undirected; choose a symmetric one",
  );
}

/** The model with the weights of what follows it among its own: trained, kept, stored and disposed with them. */
export function withHead(model: GnnModel, { variables }: Pick<LinkDecoder, "variables">): GnnModel {
  return {
    ...model,
    variables: [...model.variables, ...variables],
    dispose: () => {
      model.dispose();
      for (const { variable } of variables) variable.dispose();
    },
  };
}

/** Names what is learnt, so that a checkpoint of other links, or for another decoder, is refused. */
export function linkDigest({ split, dim, negatives }: LinkLearning): string {
  const types = split.groups?.names ?? [];
  const relations = split.numRelations === null ? [] : [split.numRelations];
  const hash = createHash("sha256").update(
    JSON.stringify([dim, negatives.perLink, split.directed, ...types, ...relations]),
  );
  for (const { src, dst, relations: ofPairs } of [split.train, split.val.positives, split.val.negatives]) {
    hash.update(src).update(dst);
    if (ofPairs) hash.update(ofPairs);
  }
  return hash.digest("hex");
}
