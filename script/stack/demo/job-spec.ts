import { type DatasetSpec, type JobPreset, jobPresets } from "@hopwise/gnn-core/spec";

/** What the demo knows of the ingested graph. */
export interface GraphFacts {
  readonly numNodes: number;
  readonly splits: readonly { readonly split: string; readonly count: number }[];
}

/** Few labels mark a graph on which the citation preset works, up to this many. */
const fewLabels = 3000;

/** GraphSAGE on two ranks; without a preset, the one that suits the number of labelled nodes. */
export function trainingSpec(dataset: string, spec: DatasetSpec, graph: GraphFacts, presetName: string | null) {
  const label = spec.nodes?.label;
  if (!label) throw new Error("The preview found no label column in the nodes file; training needs one.");
  const numTrain = graph.splits.find(({ split }) => split === "train")?.count ?? 0;
  const preset = presetCalled(presetName ?? (numTrain > fewLabels ? "large" : "citation"));
  return {
    version: 1,
    kind: "train",
    name: "demo",
    dataset,
    task: { target: label },
    split: numTrain > 0 && spec.nodes?.split ? { type: "column", column: spec.nodes.split } : { type: "random" },
    ...preset.spec,
    resources: { ranks: 2 },
    outputs: { embeddings: { formats: ["parquet"] }, predictions: { formats: ["parquet"] } },
  };
}

function presetCalled(name: string): JobPreset {
  const found = jobPresets.find((preset) => preset.name === name);
  if (!found) throw new Error(`There is no preset "${name}".`);
  return found;
}
