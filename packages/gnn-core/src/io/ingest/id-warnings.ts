import type { EdgesSection } from "../dataset-spec.ts";
import { usualMissingLabels } from "../missing-labels.ts";

/** What a file of edges begins with, and how many rows it has. */
export interface EdgeFileShape {
  readonly file: string;
  readonly first: readonly [src: string, dst: string];
  readonly rows: number;
  /** Rows that repeat the names of the columns. */
  readonly headers: number;
  /** Rows whose first id begins as comments do. */
  readonly comments: number;
  /** The first ids that are whole numbers with a fraction of zero, as programs write them that hold ids as numbers */
  readonly decimals: readonly string[];
}

/** More are not looked at. */
export const mostDecimals = 100;

/** A file of nodes with rows whose id begins as comments do. */
export interface NodeFileShape extends Pick<EdgeFileShape, "file" | "rows" | "comments"> {
  /** Rows that later ones of the same id replace; left out: none are */
  readonly replaced?: number;
}

const missingWords = [...usualMissingLabels, "\\N", "#N/A"];

/** The id of a cell: blanks around it do not count, since `1, 2` names the same nodes as `1,2`. */
export function idOf(cell: string | null): string {
  return cell === null ? "" : cell.trim();
}

/** Whether a line that begins with this id may be a comment: with #, % or //. */
export function looksLikeComment(id: string): boolean {
  return id.startsWith("#") || id.startsWith("%") || id.startsWith("//");
}

/** The ids that ends of edges are among. */
export interface KnownIds {
  readonly size: number;
  /** −1: not there */
  indexOf(id: string): number;
}

/** What in the ids looks like anything but an id: a missing value, a header further down, the size of the graph. */
export function idWarnings(
  { src, dst }: Pick<EdgesSection, "src" | "dst">,
  ids: KnownIds,
  files: readonly EdgeFileShape[],
  nodeFiles: readonly NodeFileShape[],
): string[] {
  const warnings: string[] = [];
  const words = missingWords.filter((word) => ids.indexOf(word) >= 0).map((word) => JSON.stringify(word));
  if (words.length > 0)
    warnings.push(
      `${words.join(", ")} ${words.length === 1 ? "is the id of a node" : "are ids of nodes"}, found in "${src}", "${dst}" or among the nodes. If it says that an id is not known, remove these rows.`,
    );
  for (const { file, headers } of files)
    if (headers > 0)
      warnings.push(
        `${file}: ${headers} ${headers === 1 ? "row repeats" : "rows repeat"} the names of the columns, "${src}" and "${dst}", and ${headers === 1 ? "was" : "were"} read as an edge. Remove the repeated header.`,
      );
  for (const { file, first, rows } of files)
    if (looksLikeSize(first, rows, ids.size))
      warnings.push(
        `${file}: the first row (${first.join(", ")}) was read as an edge of "${src}" and "${dst}", but ${first[1]} is also how many rows follow. Remove it if it is the size of the graph.`,
      );
  return [...warnings, ...decimalWarnings(ids, files), ...commentWarnings([...nodeFiles, ...files])];
}

/** `3.0` and `3` are two nodes, for ids are texts. */
function decimalWarnings(ids: KnownIds, files: readonly EdgeFileShape[]): string[] {
  return files.flatMap(({ file, decimals }) => {
    const twice = decimals.find((id) => ids.indexOf(id.slice(0, -2)) >= 0);
    if (twice === undefined) return [];
    const plain = JSON.stringify(twice.slice(0, -2));
    return [
      `${file}: ${JSON.stringify(twice)} and ${plain} are ids of two nodes, as are others like them. Write ids as whole numbers everywhere if they are one.`,
    ];
  });
}

/** Where most ids begin so they are hashtags or the like, and no comments. */
export function commentWarnings(files: readonly NodeFileShape[]): string[] {
  return files
    .filter(({ rows, comments }) => comments > 0 && comments < rows / 2)
    .map(
      ({ file, comments }) =>
        `${file}: ${comments} of its rows ${comments === 1 ? "begins" : "begin"} with #, % or //, as comments do, and ${comments === 1 ? "was" : "were"} read as data. Comments are skipped above the header alone: remove these lines if they are comments.`,
    );
}

/** Some lists of edges begin with the number of nodes and the number of edges. */
function looksLikeSize([nodes, edges]: EdgeFileShape["first"], rows: number, numNodes: number): boolean {
  return rows > 2 && edges === String(rows - 1) && Number(nodes) + 2 >= numNodes;
}
