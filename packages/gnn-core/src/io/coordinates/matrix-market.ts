import { GnnError } from "../../errors/gnn-error.ts";
import type { CoordinateFacts, CoordinateFactsOf } from "./coordinate-facts.ts";

const asGeneral = (how: string) => `scipy.io.mmwrite("edges.mtx", ${how}, symmetry="general")`;

/**
 * MatrixMarket's banner and the line of sizes. A symmetric matrix has each edge once, a general one has edges with a
 * direction, row to column; rows and columns of a matrix that is not square are nodes of two kinds.
 *
 * Boisvert, Pozo, Remington 1996, The Matrix Market Exchange Formats
 */
export const matrixMarketFacts: CoordinateFactsOf = (head, file) => {
  const lines = head.split(/\r\n|\n|\r/);
  const [, layout = "", field = "", symmetry = ""] = bannerOf(lines[0] ?? "", file);
  if (layout !== "coordinate") throw invalid(file, 1, `the matrix is written as "${layout}", expected coordinate`);
  if (field === "complex" || symmetry === "hermitian")
    throw invalid(file, 1, `its values are complex numbers; write real ones: ${asGeneral("abs(matrix)")}`);
  if (symmetry === "skew-symmetric")
    throw invalid(
      file,
      1,
      `the matrix is skew-symmetric, so that each entry stands for another of the opposite sign; write both: ${asGeneral("scipy.io.mmread(path)")}`,
    );
  const place = lines.findIndex((line) => line.trim() !== "" && !line.startsWith("%"));
  return factsOf(sizesOf(lines[place] ?? "", place + 1, file), symmetry === "symmetric");
};

function bannerOf(line: string, file: string): readonly string[] {
  const found = /^%%MatrixMarket\s+matrix\s+(\S+)\s+(\S+)\s+(\S+)\s*$/i.exec(line);
  if (found) return found.map((word) => word.toLowerCase());
  throw invalid(file, 1, `found "${line.slice(0, 60)}", expected %%MatrixMarket matrix coordinate real general`);
}

type Sizes = readonly [numRows: number, numColumns: number, numEntries: number];

function sizesOf(line: string, place: number, file: string): Sizes {
  const fields = line.trim().split(/\s+/);
  const sizes = fields.map(Number);
  if (fields.length === 3 && sizes.every((size) => Number.isSafeInteger(size) && size >= 0))
    return sizes as unknown as Sizes;
  throw invalid(file, Math.max(place, 1), `found "${line.slice(0, 60)}", expected rows, columns and entries`);
}

function factsOf([numSources, numTargets, numRows]: Sizes, isSymmetric: boolean): CoordinateFacts {
  const isSquare = numSources === numTargets;
  return {
    numSources,
    numTargets: isSquare ? null : numTargets,
    numRows,
    directed: isSquare && !isSymmetric,
    kinds: isSquare ? null : ["row", "column"],
    more: ["weight"],
  };
}

function invalid(file: string, line: number, found: string): GnnError {
  return new GnnError("DATASET_FORMAT_INVALID", `${file}, line ${line}: ${found}.`, { place: { file, line } });
}
