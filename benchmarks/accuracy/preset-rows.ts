import {
  choosePreset,
  type GraphFigures,
  type JobPreset,
  type TrainerOptions,
} from "../../packages/gnn-core/src/index.ts";
import { knownGraphs } from "../../packages/gnn-core/test/support/known-graphs.ts";
import type { Row } from "./row.ts";
import { allRows } from "./rows.ts";

/** A data set with what a paper reached on it, in percent and the row's metric; null: none has this task or split */
interface PresetSet extends Pick<Row, "data" | "metric" | "split" | "splitColumn"> {
  readonly data: keyof typeof knownGraphs & Exclude<Row["data"], object>;
  readonly paper: string | null;
  readonly task?: TrainerOptions["task"];
}

/** The split and the threshold of a set's own row in rows.ts. */
function asIn(rowName: string): Pick<PresetSet, "data" | "metric" | "split" | "splitColumn" | "task"> {
  const { data, metric, split, splitColumn, spec } = allRows.find(({ name }) => name === rowName)!;
  return {
    data: data as PresetSet["data"],
    metric,
    ...(split && { split }),
    ...(splitColumn && { splitColumn }),
    ...(spec.task && { task: spec.task }),
  };
}

const sets: readonly PresetSet[] = [
  { ...asIn("cora-gcn"), paper: "GCN 81.5" },
  { ...asIn("coauthor-cs-gcn"), paper: "GCN 91.1" },
  { ...asIn("amazon-photo-gcn"), paper: "GCN 91.2" },
  { ...asIn("facebook-pages-sage"), paper: null },
  { ...asIn("tolokers-sage"), paper: "GraphSAGE 82.4, five layers" },
  { ...asIn("reddit-shaped-full"), paper: null },
  { ...asIn("blogcatalog-sage"), paper: null },
  { ...asIn("deezer-hu-sage"), paper: null },
  { data: "pubmed-structure", metric: "accuracy", paper: null },
  { data: "nell", metric: "accuracy", paper: "GCN 66.0, with a column for each relation" },
  { data: "imdb-hetero", metric: "accuracy", paper: null },
];

/** The model of a preset with the library's defaults; ten hops have no default fanouts. */
function defaultsOf({ spec }: JobPreset, { features }: GraphFigures): TrainerOptions {
  return {
    ...(features.dim === 0 && { features: { structural: {} } }),
    model: { type: spec.model?.type },
    ...(spec.model?.type === "appnp" && { sampling: { type: "full" } }),
  };
}

function rowsOf(set: PresetSet): readonly Row[] {
  const { paper: _paper, task, ...common } = set;
  const { figures } = knownGraphs[common.data];
  const { preset } = choosePreset(figures);
  const name = `${common.data}-defaults`;
  const withTask = (spec: TrainerOptions): TrainerOptions => ({ ...(task && { task }), ...spec });
  return [
    { ...common, name, aim: null, spec: withTask(defaultsOf(preset, figures)) },
    {
      ...common,
      name: `${common.data}-${preset.name}`,
      aim: { within: 0.01, of: name },
      spec: withTask(preset.spec),
    },
  ];
}

/** For each set the preset that its figures choose, held to the library's defaults of the same model. */
export const presetRows: readonly Row[] = sets.flatMap(rowsOf);

/** What a paper says of the set of a row. */
export function paperOf({ data }: Row): string {
  return sets.find((set) => set.data === data)?.paper ?? "—";
}
