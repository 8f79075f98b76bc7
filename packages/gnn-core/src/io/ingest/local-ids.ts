import { idOf } from "./id-warnings.ts";

type Texts = readonly (string | null)[];

/** `graph/id`: what a node is called whose id is unique in its graph alone; an empty id stays empty. */
export function localIds(ids: Texts, graphs: Texts): string[] {
  return ids.map((cell, row) => {
    const id = idOf(cell);
    return id === "" ? "" : `${idOf(graphs[row] ?? null)}/${id}`;
  });
}
