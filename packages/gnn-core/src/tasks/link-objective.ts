import type { EdgeTaskComponent } from "../components/define-task.ts";
import type { LinkKit } from "../links/link-kit.ts";
import type { LinkObjective } from "../links/link-task.ts";
import type { LinkLoss } from "../links/losses/link-loss.ts";
import type { NegativeWeights } from "../links/losses/negative-weights.ts";
import type { NegativeSampler } from "../links/negatives/negative-sampler.ts";
import { type LinkOptions, readsAll } from "./link-options.ts";

/** Hits@k among the kept negatives */
export const hitsAt = [10, 50, 100] as const;

/** Decoder, loss, negatives and figures that the options name. */
export function linkObjective(
  given: LinkOptions,
  { seen, groups, seed }: Parameters<EdgeTaskComponent["create"]>[1],
  kit: LinkKit,
): LinkObjective {
  return {
    dim: given.dim,
    decoder: decoderOf(given, kit),
    loss: lossOf(given, kit),
    ...(given.loss.type === "infoNce" && given.loss.cosines && { learnsCosines: true }),
    ...negativesOf(given, { seen, groups, seed }, kit),
    penalty: given.penalty,
    hitsAt,
    ranksAllNodes: given.rankAmong === "allNodes",
    ...(given.rankAmong === "unseenNodes" && { recommends: { to: given.recommendTo } }),
  };
}

function allOf({ loss }: LinkOptions): Pick<LinkObjective, "oneVsAll" | "kVsAll"> {
  if (loss.type !== "oneVsAll" && loss.type !== "kVsAll") return {};
  const { labelSmoothing, temperature } = loss;
  if (loss.type === "oneVsAll") return { oneVsAll: { labelSmoothing, temperature } };
  return { kVsAll: { each: loss.each, labelSmoothing, temperature } };
}

function decoderOf({ decoder: chosen }: LinkOptions, { decoders }: LinkKit): LinkObjective["decoder"] {
  switch (chosen.type) {
    case "mlp":
      return (given) => decoders.mlp({ ...given, input: chosen.input, hiddenFeats: chosen.hiddenFeats });
    case "transE":
      return (given) => decoders.transE({ ...given, norm: chosen.norm, margin: chosen.margin });
    case "rotatE":
      return (given) => decoders.rotatE({ ...given, margin: chosen.margin });
    default:
      return decoders[chosen.type];
  }
}

function lossOf({ loss: chosen }: LinkOptions, { losses, weights }: LinkKit): LinkLoss {
  const weighing = (temperature: number | null): NegativeWeights =>
    temperature === null ? weights.evenWeights : weights.selfAdversarialWeights(temperature);
  switch (chosen.type) {
    case "softmax":
      return losses.softmaxLoss();
    case "infoNce":
      return losses.infoNce(chosen.temperature);
    case "bpr":
      return losses.bpr(weighing(chosen.adversarial));
    case "margin":
      return losses.marginLoss(chosen.margin, weighing(chosen.adversarial));
    case "oneVsAll":
    case "kVsAll":
      // Links are told from all nodes, and this is never asked.
      return losses.softmaxLoss();
    default:
      return losses.binaryCrossEntropy(weighing(chosen.adversarial));
  }
}

function negativesOf(
  given: LinkOptions,
  { seen, groups, seed }: Pick<Parameters<typeof linkObjective>[1], "seen" | "groups" | "seed">,
  { negatives: kinds }: LinkKit,
): Pick<LinkObjective, "negatives" | "shared" | "oneVsAll" | "kVsAll"> {
  const { type, perLink } = given.negatives;
  if (readsAll(given.loss.type)) return { negatives: kinds.noNegatives(), ...allOf(given) };
  if (type === "shared") {
    const shared = kinds.sharedTails({ perLink, seed, numNodes: seen.numNodes, groups });
    return { negatives: kinds.noNegatives(), shared };
  }
  const byName = {
    uniform: kinds.uniformTail,
    bothEnds: kinds.bothEnds,
    joint: kinds.jointTails,
    inBatch: kinds.inBatchTails,
    byDegree: kinds.tailsByDegree,
  } satisfies Record<Exclude<LinkOptions["negatives"]["type"], "shared">, (...given: never[]) => NegativeSampler>;
  return { negatives: byName[type]({ perLink, seed, seen, groups }) };
}
