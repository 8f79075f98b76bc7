import { GnnError } from "../../errors/gnn-error.ts";
import { embedPreset } from "./embed.ts";
import { fastRpPreset } from "./fast-rp.ts";
import { fewLabelsDensePresets, fewLabelsPresets, veryFewLabelsPresets } from "./few-labels.ts";
import type { JobPreset } from "./job-preset.ts";
import { knowledgePresets } from "./knowledge.ts";
import { labelledEdgesPresets } from "./labelled-edges.ts";
import { largeFewLabelsPresets, largePresets, quickPresets } from "./large.ts";
import { linksByTimePresets, linksPresets } from "./links.ts";
import { manyLabelsPresets } from "./many-labels.ts";
import { fewLabelsNoFeaturesPresets, noFeaturesPresets } from "./no-features.ts";
import { node2vecPreset } from "./node2vec.ts";
import { recommendationPresets } from "./recommendation.ts";
import { manyRelationsPresets, typedPresets } from "./typed.ts";
import { unlikeNeighborsPresets } from "./unlike-neighbors.ts";
import { wholeGraphsPresets } from "./whole-graphs.ts";

/** The one place where chosen hyper-parameters are written down; tests, demo and the web form read them here. */
export const jobPresets: readonly JobPreset[] = [
  ...fewLabelsPresets,
  ...veryFewLabelsPresets,
  ...fewLabelsDensePresets,
  ...manyLabelsPresets,
  ...unlikeNeighborsPresets,
  ...noFeaturesPresets,
  ...fewLabelsNoFeaturesPresets,
  ...typedPresets,
  ...manyRelationsPresets,
  ...largePresets,
  ...largeFewLabelsPresets,
  embedPreset,
  node2vecPreset,
  fastRpPreset,
  ...linksPresets,
  ...linksByTimePresets,
  ...knowledgePresets,
  ...recommendationPresets,
  ...labelledEdgesPresets,
  ...wholeGraphsPresets,
  ...quickPresets,
];

/** Names of presets up to version 0.1, which were named by the data sets they were made for. */
const formerNames: Readonly<Record<string, string>> = {
  citation: "few-labels-sage",
  "citation-gcn": "few-labels-gcn",
  "citation-gat": "few-labels-gat",
  "citation-sgc": "few-labels-sgc",
  "citation-appnp": "few-labels-appnp",
  "citation-gin": "few-labels-gin",
  large: "large-sage",
  quick: "quick-sage",
  "no-labels-gcn": "links-gcn-dot",
  "no-labels-sage": "links-sage-mlp",
};

/**
 * The preset of that name.
 *
 * @throws GnnError SPEC_INVALID when there is none; for a name of earlier versions it says the one of today
 */
export function presetCalled(name: string): JobPreset {
  const found = jobPresets.find((preset) => preset.name === name);
  if (found) return found;
  const today = Object.hasOwn(formerNames, name) ? formerNames[name] : undefined;
  const next = today
    ? `Presets are named by situation now: take "${today}", whose settings are not the same.`
    : `Expected one of ${jobPresets.map((preset) => preset.name).join(", ")}.`;
  throw new GnnError("SPEC_INVALID", `There is no preset "${name}". ${next}`);
}
