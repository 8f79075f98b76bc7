import { GnnError } from "../errors/gnn-error.ts";
import type { ArtifactDir } from "../io/manifest.ts";

/** @throws GnnError MANIFEST_INVALID when the step was started without an input of this kind */
export function stepInput(inputs: Readonly<Record<string, ArtifactDir>>, kind: string): ArtifactDir {
  const input = inputs[kind];
  if (input) return input;
  const given = Object.keys(inputs).join(", ") || "nothing";
  throw new GnnError("MANIFEST_INVALID", `The step reads an artifact of kind "${kind}"; it was given ${given}.`);
}
