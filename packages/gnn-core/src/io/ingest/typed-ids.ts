import type { IdIndex } from "./id-index.ts";
import type { IdList } from "./write-ids.ts";

/** The nodes of one type, numbered from 0. */
export interface TypeIds {
  readonly name: string;
  readonly ids: IdIndex;
}

/**
 * The ids of all types, type after type. Where two types have an id in common, all ids are told apart by their type:
 * `paper/7` and `author/7`.
 */
export function joinIds(types: readonly TypeIds[]): { readonly list: IdList; readonly shared: SharedId | null } {
  const shared = findShared(types);
  const size = types.reduce((sum, { ids }) => sum + ids.size, 0);
  const isInt64 = shared === null && types.every(({ ids }) => ids.isInt64);
  return { list: { size, isInt64, ids: () => joined(types, shared !== null) }, shared };
}

/** An id that nodes of two types have */
export interface SharedId {
  readonly id: string;
  readonly types: readonly [string, string];
}

function* joined(types: readonly TypeIds[], withType: boolean): Generator<string> {
  for (const { name, ids } of types) for (const id of ids.ids()) yield withType ? `${name}/${id}` : id;
}

function findShared(types: readonly TypeIds[]): SharedId | null {
  for (const [i, type] of types.entries()) {
    const before = types.slice(0, i);
    for (const id of type.ids.ids()) {
      const other = before.find(({ ids }) => ids.indexOf(id) >= 0);
      if (other) return { id, types: [other.name, type.name] };
    }
  }
  return null;
}
