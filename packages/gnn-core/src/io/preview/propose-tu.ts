import { datasetSpec } from "../dataset-spec.ts";
import { baseName } from "./base-name.ts";
import type { FileRoles, SampledFile } from "./sampled-file.ts";
import type { TypedProposal } from "./typed-proposal.ts";

const layout =
  /^(.*)_(A|graph_indicator|graph_labels|graph_attributes|node_labels|node_attributes|edge_labels|edge_attributes)\.txt(?:\.gz)?$/;

type Part =
  | "A"
  | "graph_indicator"
  | `graph_${"labels" | "attributes"}`
  | `node_${"labels" | "attributes"}`
  | `edge_${"labels" | "attributes"}`;

/** Files in the layout of the TU Dortmund collection: DS_A.txt and what stands beside it. Null: there are none. */
export function proposeTu(sampled: readonly SampledFile[]): TypedProposal | null {
  const sets = [...setsOf(sampled)].filter(([, parts]) => parts.has("A") && parts.has("graph_indicator"));
  const [first, second] = sets;
  if (!first) return null;
  const [name, parts] = first;
  const targets = targetNames(parts.get("graph_attributes"));
  const fileOf = (part: Part) => parts.get(part)?.name ?? null;
  const graphLabels = fileOf("graph_labels");
  if (graphLabels === null && targets.length === 0) return null;
  const proposed = datasetSpec.parse({
    tu: {
      edges: fileOf("A"),
      graphIndicator: fileOf("graph_indicator"),
      graphLabels,
      graphAttributes: targets.length > 0 ? fileOf("graph_attributes") : null,
      targets,
      nodeLabels: fileOf("node_labels"),
      nodeAttributes: fileOf("node_attributes"),
      edgeLabels: fileOf("edge_labels"),
      edgeAttributes: fileOf("edge_attributes"),
    },
  });
  const used = new Set<unknown>(Object.values(proposed.tu ?? {}));
  const shown = sampled.map((file) => (used.has(file.name) ? asPartOf(file) : file));
  const roles = shown.filter((file) => used.has(file.name)).map((file) => [file, rolesOf(file)] as const);
  return { roles: new Map(roles), proposed, notes: notesOf(name, second?.[0]), shown };
}

/** A file of one number a line is no table to other readers, which is no fault here. */
function asPartOf(file: SampledFile): SampledFile {
  const reasons = [
    "Its name says what it holds: a file of the layout of the TU Dortmund collection, a line for each row.",
  ];
  return { ...file, reasons, doubts: [], problem: null };
}

/** The files of each data set, by what is in front of the layout's names. */
function setsOf(sampled: readonly SampledFile[]): Map<string, Map<string, SampledFile>> {
  const sets = new Map<string, Map<string, SampledFile>>();
  for (const file of sampled) {
    const [, stem, part] = layout.exec(baseName(file.name)) ?? [];
    if (stem === undefined || part === undefined) continue;
    const name = file.name.slice(0, file.name.length - baseName(file.name).length) + stem;
    const parts = sets.get(name) ?? new Map<string, SampledFile>();
    sets.set(name, parts.set(part, file));
  }
  return sets;
}

function targetNames(file: SampledFile | undefined): string[] {
  const width = file?.rows[0]?.length ?? 0;
  return Array.from({ length: width }, (_, i) => (width === 1 ? "target" : `target${i + 1}`));
}

function rolesOf({ columns }: SampledFile): FileRoles {
  return { roles: columns.map(() => "none"), notes: [], directed: null, explained: columns.map((_, i) => i) };
}

function notesOf(name: string, other: string | undefined): string[] {
  return [
    `${name} is read as a set of graphs in the layout of the TU Dortmund collection: a class or numbers of each graph can be learnt.`,
    ...(other === undefined ? [] : [`${other} is another data set; upload one at a time. Only ${name} is proposed.`]),
  ];
}
