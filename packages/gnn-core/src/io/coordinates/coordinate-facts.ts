import { stat } from "node:fs/promises";
import { GnnError } from "../../errors/gnn-error.ts";

/** What the first lines of a file of numbered ends say of its graph. */
export interface CoordinateFacts {
  /** Nodes are numbered from 1 to this one; null: the file does not say. */
  readonly numSources: number | null;
  /** The last number among the ends that edges lead to, where these are nodes of another kind */
  readonly numTargets: number | null;
  /** Rows that there must be; null: the file does not say. */
  readonly numRows: number | null;
  readonly directed: boolean;
  /** Names of the two kinds of nodes, each numbered from 1; null: there is one kind. */
  readonly kinds: readonly [source: string, target: string] | null;
  /** Names of the columns behind both ends, as many as a file may have */
  readonly more: readonly string[];
}

/** Reads them. @throws GnnError DATASET_FORMAT_INVALID for what would be read wrong */
export type CoordinateFactsOf = (head: string, file: string) => CoordinateFacts;

/** Each node costs a row, and a file of sixty bytes may say that it has a billion. */
const alwaysListed = 10_000_000;
const nodesPerByte = 100;

/** @throws GnnError DATASET_FORMAT_INVALID when far more nodes are said to be there than the file has bytes */
export async function checkNumNodes(path: string, file: string, numNodes: number): Promise<void> {
  const { size } = await stat(path);
  if (numNodes <= alwaysListed + size * nodesPerByte) return;
  const message = `${file}: its first lines speak of ${numNodes} nodes in a file of ${size} bytes. Correct them.`;
  throw new GnnError("DATASET_FORMAT_INVALID", message, { place: { file, line: 1 } });
}
