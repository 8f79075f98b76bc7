import type { DatasetSpec } from "../dataset-spec.ts";
import { sectionsOf } from "./spec-sections.ts";

/**
 * The spec with a further file, which is read wherever another is: the same source brought it under another name. What
 * lies in an archive is read of the further archive, too.
 *
 * @param beside  the file that it is read like
 * @returns null where the spec reads no such file, or its rows cannot be more: a matrix or another file counts them
 */
export function withFileBeside(spec: DatasetSpec, name: string, beside: string): DatasetSpec | null {
  if (spec.tu) return null;
  const grown = structuredClone(spec);
  const isBeside = (file: string) => file === beside || file.startsWith(`${beside}/`);
  const sections = sectionsOf(grown).filter(({ files }) => files.some(isBeside));
  if (sections.length === 0 || sections.some(({ matrix }) => matrix !== undefined)) return null;
  const edges = [...(grown.edges ? [grown.edges] : []), ...(grown.relations ?? [])];
  const splits = edges.flatMap(({ splitFiles }) => Object.values(splitFiles ?? {}));
  const lists = sections.flatMap(({ files, ofTypes = [] }) => [files, ...ofTypes]);
  for (const files of [...lists, ...splits]) {
    files.push(...files.filter(isBeside).map((file) => `${name}${file.slice(beside.length)}`));
  }
  return grown;
}
