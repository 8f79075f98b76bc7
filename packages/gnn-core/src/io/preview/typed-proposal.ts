import { type DatasetSpec, datasetSpec } from "../dataset-spec.ts";
import { usualMissingLabels } from "../missing-labels.ts";
import { edgeRoles } from "./edge-roles.ts";
import type { FoundRelation } from "./find-relations.ts";
import { filesOf as allFilesOf, type Joins, noJoins, rolesOfJoined } from "./joined-samples.ts";
import { idColumn, idColumnInRange, type NodeRoles, nodeRoles } from "./node-roles.ts";
import { columnOf, columnsOf, featureColumnsOf, joinsOf, masksOf, readerOf, separatorOf } from "./roles-to-spec.ts";
import type { ColumnRole, FileRoles, SampledFile } from "./sampled-file.ts";
import { plainType, typeOfFile } from "./type-names.ts";

/** A proposal of a file for each type: what its files are for, and the spec. */
export interface TypedProposal {
  readonly roles: ReadonlyMap<SampledFile, FileRoles>;
  readonly proposed: DatasetSpec;
  readonly notes: readonly string[];
  /** All files, where some are shown otherwise than they were sampled */
  readonly shown?: readonly SampledFile[];
}

export interface TypeFile extends SampledFile, NodeRoles {
  readonly type: string;
  /** All files of its nodes; left out: the one */
  readonly files?: readonly string[];
  /** Left out: each id has one row */
  readonly repeatedIds?: "last";
  /** Tables whose columns stand behind those of its own; left out: none */
  readonly joins?: Joins;
}

/** A table by its first piece; most have one */
export interface Pieces {
  readonly file: SampledFile;
  readonly files: readonly string[];
}

/** @param edgeIds ids that edges name, where these are known */
export function typeFile(
  file: SampledFile,
  files: readonly string[],
  type: string,
  edgeIds: ReadonlySet<string> = new Set(),
): TypeFile[] {
  const called = idColumn(file, new Set());
  const inRange = called < 0 ? -1 : idColumnInRange(file, called, edgeIds);
  const id = inRange < 0 ? called : inRange;
  return id < 0 ? [] : [{ ...file, ...nodeRoles(file, id), type, files }];
}

/** The spec with a section for each type and each relation, and what their files are for. */
export function assembleTypes(
  sampled: readonly SampledFile[],
  found: readonly TypeFile[],
  relations: readonly FoundRelation[],
  headers: readonly SampledFile[] = [],
  notes: readonly string[] = [],
): TypedProposal | null {
  const learned =
    found.find((type) => hasSplit(type) && isLearned(type.roles)) ??
    found.find(({ roles }) => isLearned(roles)) ??
    found.find(({ joins = noJoins }) => joins.lists.length > 0);
  const types = found.map((type) => (type === learned ? type : withoutLearned(type)));
  const matrices = matricesOf(sampled, types);
  const proposed = datasetSpec.safeParse({
    nodeTypes: Object.fromEntries(types.map((type) => [type.type, sectionOf(type, matrices.get(type.type))])),
    relations: relations.map(relationOf),
  });
  if (!proposed.success) return null;
  const roles = new Map<SampledFile, FileRoles>();
  const setFor = (names: readonly string[], said: FileRoles) => {
    for (const file of sampled) if (names.includes(file.name)) roles.set(file, said);
  };
  for (const type of types) {
    const own = type.files ?? [type.name];
    setFor(own, ownRoles(type));
    for (const [name, said] of rolesOfJoined(type, type.joins ?? noJoins))
      if (!own.includes(name)) setFor([name], said);
  }
  for (const { file, files, ends, explained = [] } of relations) {
    const said = withoutUnused(edgeRoles(file, ends));
    setFor(files ?? [file.name], { ...said, explained: [...said.explained, ...explained] });
  }
  for (const file of matrices.values()) roles.set(file, { roles: [], notes: [], directed: null, explained: [] });
  for (const { name, columns } of headers) setFor([name], headerRoles(columns.length));
  const said = [...notesOf(sampled, found, types, relations, learned, headers), ...notes];
  return { roles, proposed: proposed.data, notes: said };
}

/** Those of its own columns, without those of tables that are joined */
function ownRoles(type: TypeFile): FileRoles {
  const numJoined = (type.joins ?? noJoins).tables.reduce((sum, { taken }) => sum + taken.length, 0);
  const { notes, directed, explained } = type;
  return { notes, directed, explained, roles: type.roles.slice(0, type.roles.length - numJoined) };
}

/** A header of rows in other files. */
function headerRoles(numColumns: number): FileRoles {
  const columns = Array.from({ length: numColumns }, (_, i) => i);
  return { roles: columns.map(() => "none"), notes: [], directed: null, explained: columns };
}

function hasSplit({ roles, joins = noJoins }: TypeFile): boolean {
  return roles.includes("split") || joins.lists.length > 0;
}

const isLearned = (roles: readonly ColumnRole[]) => roles.includes("label") || roles.includes("target");

/** What is learned lies on one type; a column of types says nothing in a file of one. */
function withoutLearned(file: TypeFile): TypeFile {
  const dropped: readonly ColumnRole[] = ["label", "target", "split", "trainMask", "valMask", "testMask"];
  const roles = file.roles.map((role) => (dropped.includes(role) ? "none" : role));
  return { ...file, roles, ...(file.joins && { joins: { ...file.joins, lists: [] } }) };
}

/** Relations have no columns of types, and features beside labels alone. */
function withoutUnused(found: FileRoles): FileRoles {
  const isUnused = (role: ColumnRole) => role === "type" || role === "feature";
  return { ...found, roles: found.roles.map((role) => (isUnused(role) ? "none" : role)) };
}

/** The matrix of each type that one is called after. */
export function matricesOf(sampled: readonly SampledFile[], types: readonly TypeFile[]): Map<string, SampledFile> {
  const matrices = new Map<string, SampledFile>();
  for (const file of sampled.filter(({ reader }) => reader === "npz" || reader === "npy")) {
    const called = typeOfFile(file.name);
    const type = called !== null && types.find((one) => plainType(one.type) === plainType(called));
    if (type && !matrices.has(type.type)) matrices.set(type.type, file);
  }
  return matrices;
}

function sectionOf(file: TypeFile, matrix: SampledFile | undefined) {
  return {
    files: [...(file.files ?? [file.name])],
    ...readerOf([file]),
    id: columnOf(file, "id"),
    ...(file.repeatedIds && { repeatedIds: file.repeatedIds }),
    label: columnOf(file, "label"),
    labelSeparator: separatorOf(file),
    ...(file.missingLabels.length > 0 ? { missingLabels: [...usualMissingLabels, ...file.missingLabels] } : {}),
    targets: columnsOf(file, "target"),
    split: columnOf(file, "split"),
    splitWords: columnOf(file, "split") === null ? {} : file.splitWords,
    splitMasks: masksOf(file),
    features: matrix ? { file: matrix.name } : featureColumnsOf(file),
    ...joinsOf(file, file.joins ?? noJoins),
  };
}

function relationOf({ file, files, ends, source, name, target }: FoundRelation) {
  const roles = { ...file, ...edgeRoles(file, ends) };
  const [split, time] = [columnOf(roles, "split"), columnOf(roles, "time")];
  return {
    source,
    name,
    target,
    files: [...(files ?? [file.name])],
    ...readerOf([file]),
    src: file.columns[ends.src]!.name,
    dst: file.columns[ends.dst]!.name,
    weight: columnOf(roles, "weight"),
    ...(split !== null && { split }),
    ...(time !== null && { time }),
  };
}

function notesOf(
  sampled: readonly SampledFile[],
  found: readonly TypeFile[],
  types: readonly TypeFile[],
  relations: readonly FoundRelation[],
  learned: TypeFile | undefined,
  headers: readonly SampledFile[],
): string[] {
  const filesOf = ({ files }: { files?: readonly string[] }, file: SampledFile) => (files ?? [file.name]).join(", ");
  const joined = relations.map((one) => `${one.source} ${one.name} ${one.target} (${filesOf(one, one.file)})`);
  const isOfEdges = ({ repeatedIds }: TypeFile) => repeatedIds !== undefined;
  const names = types.map((one) => `${one.type} (${isOfEdges(one) ? "the ids in " : ""}${filesOf(one, one)})`);
  const head = types.some(isOfEdges) ? "Nodes are of two types" : "Each type of node has a file of its own";
  const others = found.filter((type) => type !== learned && isLearned(type.roles)).map(({ type }) => type);
  const unsplit = found.filter((type) => type !== learned).flatMap(({ joins = noJoins }) => joins.lists);
  const used = new Set([
    ...found.flatMap(({ name, files }) => files ?? [name]),
    ...relations.flatMap(({ file, files }) => files ?? [file.name]),
    ...headers.map(({ name }) => name),
    ...found.flatMap(({ joins = noJoins }) => joins.tables.flatMap(({ file }) => allFilesOf(file))),
    ...found.flatMap(({ joins = noJoins }) => joins.lists.map(({ file }) => file.name)),
  ]);
  const lost = sampled.filter((file) => file.columns.length > 0 && !used.has(file.name));
  return [
    `${head}: ${names.join(", ")}. Relations: ${joined.join(", ")}.`,
    ...(others.length > 0
      ? [
          `What is learned lies on one type: ${learned!.type} is proposed, and the labels of ${others.join(", ")} are left out.`,
        ]
      : []),
    ...(unsplit.length > 0
      ? [
          `${unsplit.map(({ file }) => file.name).join(", ")}: the split that they say is left out, as nothing of these nodes is learned.`,
        ]
      : []),
    ...lost.map(
      ({ name }) => `${name} is left out: which types of nodes it is about, or joins, cannot be told. Choose them.`,
    ),
  ];
}
