import { type DatasetSpec, type JobPreset, presetCalled } from "@hopwise/gnn-core/spec";

/** What the demo knows of the ingested graph. */
export interface GraphFacts {
  readonly numNodes: number;
  readonly splits: readonly { readonly split: string; readonly count: number }[];
  /** What the service proposes for it, with the reason */
  readonly proposed: { readonly reason: string; readonly preset: Pick<JobPreset, "name" | "title" | "spec"> };
}

/**
 * A job on two ranks by a preset; without the name of one, by the one that the service proposes for this graph. A
 * preset that names its task needs no labels, and gives embeddings alone.
 */
export function trainingSpec(dataset: string, spec: DatasetSpec, graph: GraphFacts, presetName: string | null) {
  const preset = presetName === null ? graph.proposed.preset : presetCalled(presetName);
  if (preset.spec.task && preset.spec.task.type === undefined) throw notOfNodes(preset.name);
  const target = preset.spec.task ? null : labelOf(spec);
  const numTrain = graph.splits.find(({ split }) => split === "train")?.count ?? 0;
  return {
    version: 1,
    kind: "train",
    name: "demo",
    dataset,
    ...(target !== null && {
      task: { target },
      split: numTrain > 0 && spec.nodes?.split ? { type: "column", column: spec.nodes.split } : { type: "random" },
    }),
    ...preset.spec,
    resources: { ranks: 2 },
    outputs: {
      embeddings: { formats: ["parquet"] },
      ...(target !== null && { predictions: { formats: ["parquet"] } }),
    },
  };
}

function notOfNodes(preset: string): Error {
  return new Error(
    `The preset ${preset} is for classes or numbers of whole graphs or of edges, and the demo learns those of nodes. Try --preset embed, or leave --preset out.`,
  );
}

function labelOf({ nodes }: DatasetSpec): string {
  if (nodes?.label) return nodes.label;
  throw new Error("The preview found no label column in the nodes file; this preset needs one. Try --preset embed.");
}
