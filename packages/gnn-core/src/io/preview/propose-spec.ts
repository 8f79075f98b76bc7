import { type DatasetSpec, datasetSpec } from "../dataset-spec.ts";
import { type ColumnRole, edgeEnds, edgeRoles, nodeRoles } from "./column-roles.ts";
import type { PreviewFile, SampledFile } from "./preview.ts";

export interface Proposal {
  readonly files: PreviewFile[];
  readonly proposed: DatasetSpec | null;
  readonly warnings: string[];
}

type WithRoles = SampledFile & {
  readonly roles: readonly ColumnRole[];
  readonly kind: "edges" | "nodes" | "matrix" | "none";
};

/**
 * Guesses which file holds what. Files of edges are those with two end columns; of the others, those with an id are
 * nodes. Files of one kind must have the same columns as the first of that kind; a matrix gives the node features.
 */
export function proposeSpec(sampled: readonly SampledFile[]): Proposal {
  const files = sampled.map(withRoles);
  const edges = alike(files.filter(({ kind }) => kind === "edges"));
  const nodes = alike(files.filter(({ kind }) => kind === "nodes"));
  const matrix = files.find(({ kind }) => kind === "matrix");
  const used = new Set([...edges, ...nodes, ...(matrix && nodes.length > 0 ? [matrix] : [])]);
  const warnings = files.filter((file) => !used.has(file)).map(({ name }) => `${name} is not used by the proposal.`);
  if (edges.length === 0) warnings.unshift("No file looks like edges: choose its source and destination columns.");
  return {
    files: files.map((file) => shown(file, used.has(file))),
    proposed: edges.length > 0 ? specOf(edges, nodes, matrix) : null,
    warnings,
  };
}

function withRoles(file: SampledFile): WithRoles {
  if (file.reader === "npz" || file.reader === "npy") return { ...file, roles: [], kind: "matrix" };
  const ends = edgeEnds(file.name, file.columns);
  if (ends) return { ...file, roles: edgeRoles(file.columns, ends), kind: "edges" };
  if (file.columns.length === 0) return { ...file, roles: [], kind: "none" };
  return { ...file, roles: nodeRoles(file.columns, file.rows), kind: "nodes" };
}

/** The first file, its name speaking of nodes if one's does, and those with the same columns and reader. */
function alike(files: readonly WithRoles[]): WithRoles[] {
  const first = files.find(({ name }) => /node|vert|edge/i.test(name)) ?? files[0];
  if (!first) return [];
  const key = ({ reader, columns }: WithRoles) => JSON.stringify([reader, columns.map(({ name }) => name)]);
  return files.filter((file) => key(file) === key(first));
}

function specOf(edges: readonly WithRoles[], nodes: readonly WithRoles[], matrix: WithRoles | undefined): DatasetSpec {
  const [edge] = edges as [WithRoles];
  const [node] = nodes;
  return datasetSpec.parse({
    edges: {
      files: edges.map(({ name }) => name),
      src: columnOf(edge, "src"),
      dst: columnOf(edge, "dst"),
      weight: columnOf(edge, "weight"),
      type: columnOf(edge, "type"),
      features: columnsOf(edge, "feature"),
    },
    nodes: node && {
      files: nodes.map(({ name }) => name),
      id: columnOf(node, "id"),
      type: columnOf(node, "type"),
      label: columnOf(node, "label"),
      labelSeparator: separatorOf(node),
      targets: columnsOf(node, "target"),
      split: columnOf(node, "split"),
      features: featuresOf(node, matrix),
    },
  });
}

/** `|` when a label cell of the sample has one: the character that data sets with several labels per node use. */
function separatorOf({ roles, rows }: WithRoles): string | null {
  const label = roles.indexOf("label");
  return label >= 0 && rows.some((row) => row[label]?.includes("|")) ? "|" : null;
}

function featuresOf(node: WithRoles, matrix: WithRoles | undefined) {
  if (matrix) return { file: matrix.name };
  const columns = columnsOf(node, "feature");
  return columns.length > 0 ? { columns } : null;
}

function columnsOf({ columns, roles }: WithRoles, role: ColumnRole): string[] {
  return columns.filter((_, i) => roles[i] === role).map(({ name }) => name);
}

function columnOf(file: WithRoles, role: ColumnRole): string | null {
  return columnsOf(file, role)[0] ?? null;
}

function shown({ name, reader, bytes, columns, rows, roles }: WithRoles, isUsed: boolean): PreviewFile {
  const described = columns.map((column, i) => ({ ...column, role: isUsed ? (roles[i] ?? "none") : "none" }));
  return { name, reader, bytes, numRowsSampled: rows.length, columns: described, rows };
}
