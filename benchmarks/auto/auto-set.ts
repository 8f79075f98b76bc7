import type { z } from "zod";
import type { DatasetSpecInput, splitOptions } from "../../packages/gnn-core/src/index.ts";
import { datasetSpecOf } from "../../packages/gnn-core/test/support/real-datasets.ts";
import type { Metric, Row, Tables } from "../accuracy/row.ts";
import { allRows } from "../accuracy/rows.ts";

/** A data set as a user has it searched: its files, how they are mapped, what is learnt, and nothing of how. */
export interface AutoSet {
  readonly name: string;
  /** Folder of the data set, to which `files` are relative */
  readonly folder: string;
  readonly files: readonly string[];
  /** Tables that are made of what the folder has */
  readonly make?: Tables["make"];
  readonly spec: DatasetSpecInput;
  readonly task: Readonly<Record<string, unknown>>;
  readonly split?: z.input<typeof splitOptions>;
  /** Test figure that is held to the aim */
  readonly metric: Metric;
  /** What trials are chosen by, where it is not the task's chief figure */
  readonly chosenBy?: string;
  /** What the mean over the seeds of the chosen setting must reach; null: nothing is published */
  readonly aim: number | null;
  /** Where the aim is from */
  readonly source: string;
}

/** Options of a task that say what is asked and by what it is judged, not how it is learnt. */
const protocol = ["type", "target", "split", "relations", "rankAmong", "recommendTo", "keptNegatives"];

type Own = Pick<AutoSet, "name" | "aim" | "source"> & Partial<AutoSet>;

/** A set with the data, the split and the question of a row of benchmarks/accuracy. */
export function asRow(rowName: string, own: Own): AutoSet {
  const row = allRows.find(({ name }) => name === rowName);
  if (!row) throw new Error(`There is no row ${rowName} in benchmarks/accuracy.`);
  const files = filesOf(row);
  const { label: target = "label" } = files.spec.nodes ?? {};
  const asked = Object.entries({ target, ...row.spec.task }).filter(([option]) => protocol.includes(option));
  const { target: _, ...untargeted } = Object.fromEntries(asked);
  const isOfLinks = untargeted["type"] === "linkPrediction";
  return {
    ...files,
    task: isOfLinks ? untargeted : Object.fromEntries(asked),
    metric: row.metric,
    ...(row.split && { split: row.split }),
    ...own,
  };
}

function filesOf({ data }: Row): Pick<AutoSet, "folder" | "files" | "spec"> & Partial<Pick<AutoSet, "make">> {
  if (typeof data === "object") {
    const { name, files, make, spec } = data;
    return { folder: name, files, ...(make && { make }), spec: spec(0) };
  }
  if (data === "generated" || data === "reddit-shaped" || data === "cora-lp") {
    throw new Error(`${data} has no files of its own.`);
  }
  const spec = datasetSpecOf(data);
  const features = spec.nodes?.features;
  const file = features && "file" in features ? [features.file] : [];
  return { folder: data, files: ["edges.csv.gz", "nodes.csv.gz", ...file], spec };
}
