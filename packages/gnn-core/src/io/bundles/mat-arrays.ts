import { fileKindOf } from "../file-kind.ts";
import { readMatFile } from "../mat/mat-file.ts";
import type { MatMatrix, MatNumbers, MatSparse } from "../mat/mat-variables.ts";
import type { UploadedFile } from "../uploaded-files.ts";
import type { Bundle, BundleContext } from "./bundle.ts";
import { namedMatrices } from "./mat-graph.ts";
import type { NamedArrays } from "./numpy-arrays.ts";
import { arraysBundle } from "./numpy-graph.ts";

/** The graph in a MAT-file of MATLAB or scipy.io.savemat, of version 5 to 7.2; null: the file is none. */
export async function matBundle({ name, path }: UploadedFile): Promise<Bundle | null> {
  if ((await fileKindOf(path)).kind !== "mat") return null;
  return arraysBundle(name, new Map([["arrays", name]]), openArrays);
}

async function openArrays({ open, limits, check }: BundleContext): Promise<NamedArrays> {
  const file = (await open("arrays"))!;
  const variables = await readMatFile(file, limits);
  check(file.name);
  // They have been read with the file.
  const read = async (matrix: MatMatrix) => matrix as MatSparse | MatNumbers;
  return namedMatrices(file.name, { variables, read });
}
