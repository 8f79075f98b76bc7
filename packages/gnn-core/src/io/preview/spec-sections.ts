import type { DatasetSpec, NodesSection } from "../dataset-spec.ts";
import { idListsOf, type JoinedTableSection, namedColumns } from "../join-section.ts";

/** A part of a dataset spec that is read from files of one kind. */
export interface SpecSection {
  /** What its rows are, as in "the nodes of the type paper" */
  readonly title: string;
  /** Where the spec lists its files */
  readonly files: string[];
  readonly reader?: { readonly type: string; readonly options: Readonly<Record<string, unknown>> } | undefined;
  /** Columns that every file of it has */
  readonly columns: readonly string[];
  /** Those of them that are read as numbers */
  readonly numbers: readonly string[];
  /** A file whose rows stand beside those of the section, so that no row can be added; left out: there is none */
  readonly matrix?: string;
  /** Lists of files of types whose nodes are the ids that its edges name: a file is added to these too. */
  readonly ofTypes?: readonly string[][];
}

/** The columns of a file by its name, as far as they are known */
export type KnownColumns = (file: string) => readonly string[] | null;

/**
 * The sections of a spec; a file is added to one by adding its name to `files`.
 *
 * @param columnsOf tells which columns come of joined tables whose section does not list them; left out: not known
 */
export function sectionsOf(spec: DatasetSpec, columnsOf: KnownColumns = () => null): readonly SpecSection[] {
  const { edges, nodes, nodeTypes, relations, graphs } = spec;
  const ofEdges = (files: readonly string[]) =>
    (relations ?? []).find((one) => files.every((file) => one.files.includes(file)));
  const types = Object.entries(nodeTypes ?? {});
  return [
    ...(nodes ? nodeSections(nodes, "the nodes", columnsOf) : []),
    ...types.flatMap(([type, one]) =>
      ofEdges(one.files) ? [] : nodeSections(one, `the nodes of the type "${type}"`, columnsOf),
    ),
    ...(graphs
      ? [section("the graphs", graphs, [graphs.id, graphs.label, graphs.split, graphs.fold], graphs.targets)]
      : []),
    ...(edges ? [edgeSection(edges, "the edges", [edges.type, edges.graph])] : []),
    ...(relations ?? []).map((one) => ({
      ...edgeSection(one, `the relation "${one.source} ${one.name} ${one.target}"`, []),
      ofTypes: types.flatMap(([, type]) => (ofEdges(type.files) === one ? [type.files] : [])),
    })),
  ];
}

type Names = readonly (string | null | undefined)[];
type Table = Pick<SpecSection, "files" | "reader">;

function section(title: string, { files, reader }: Table, texts: Names, numbers: Names): SpecSection {
  const named = (names: Names) => names.filter((name) => name !== null && name !== undefined);
  const read = named(numbers);
  return { title, files, reader, columns: [...new Set([...named(texts), ...read])], numbers: read };
}

function nodeSections(nodes: NodesSection, title: string, columnsOf: KnownColumns): SpecSection[] {
  const { id, graph, type, label, labelColumns, labelFile, targets, split, splitMasks, features } = nodes;
  const chosen = features && "columns" in features ? features : null;
  const masks = Object.values(splitMasks ?? {});
  const kinds = [...(chosen?.oneHot ?? []), chosen?.multiHot];
  const texts = [id, graph, type, label, ...labelColumns, split, ...masks, ...kinds];
  const numbers = [...targets, ...(chosen?.columns ?? [])];
  const joins = (nodes.join ?? []).map((join) => ({ join, named: givenColumns(join, columnsOf) }));
  const isOwn = (name: string | null | undefined) => name === id || !joins.some(({ named }) => named.has(name ?? ""));
  const own = section(title, nodes, texts.filter(isOwn), numbers.filter(isOwn));
  return [
    ...joins.map(({ join, named }) => {
      const ofTable = (names: Names) => names.map((name) => named.get(name ?? "") ?? null);
      return section(`the table joined to ${title}`, join, [join.id, ...ofTable(texts)], ofTable(numbers));
    }),
    ...idListsOf(nodes).map(([side, list]) => section(`the ${side} list of ${title}`, list, [list.id], [])),
    features && "file" in features ? { ...own, matrix: features.file } : own,
    ...(labelFile ? [section(`the labels of ${title}`, labelFile, [labelFile.node, labelFile.label], [])] : []),
  ];
}

/** What the nodes get of a table, by the names that they know it by */
function givenColumns(join: JoinedTableSection, columnsOf: KnownColumns): ReadonlyMap<string, string> {
  const others = (columnsOf(join.files[0]!) ?? []).filter((name) => name !== join.id);
  return namedColumns(join) ?? new Map(others.map((name) => [name, name]));
}

interface EdgeTable extends Table {
  readonly src: string;
  readonly dst: string;
  readonly weight: string | null;
  readonly split?: string | null | undefined;
  readonly time?: string | null | undefined;
  readonly label?: string | undefined;
  readonly targets?: readonly string[] | undefined;
  readonly features?: readonly string[] | undefined;
}

function edgeSection(edges: EdgeTable, title: string, more: Names): SpecSection {
  const { src, dst, weight, split, time, label, targets = [], features = [] } = edges;
  return section(title, edges, [src, dst, split, time, label, ...more], [weight, ...targets, ...features]);
}
