import type { NodeTypes } from "./csc-graph.ts";

/** What nodes are called of which no cell says the type. */
export const unknownType = "(not known)";

/** Types in which every node has its place: those whose type is not known, which have the code −1, are of one more. */
export function withUnknownType({ names, codes }: NodeTypes): NodeTypes {
  return {
    names: codes.includes(-1) ? [...names, unknownType] : names,
    codes: codes.map((code) => (code < 0 ? names.length : code)),
  };
}
