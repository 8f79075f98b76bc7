import { reverseName } from "../graph/reverse-name.ts";
import type { RelationSection } from "./relation-section.ts";

/** Names of the edge types that a relation becomes. */
export interface RelationTypes {
  readonly forward: string;
  /** What the edges that lead back are called; null: none are added */
  readonly back: string | null;
}

type Named = Pick<RelationSection, "source" | "name" | "target" | "reverse">;

/**
 * A relation's own name where no other is called so, else `source name target`: `user likes post` beside
 * `user likes comment`.
 */
export function relationTypes(relations: readonly Named[]): readonly RelationTypes[] {
  const count = new Map<string, number>();
  for (const { name } of relations) count.set(name, (count.get(name) ?? 0) + 1);
  return relations.map(({ source, name, target, reverse }) => {
    const forward = count.get(name) === 1 ? name : `${source} ${name} ${target}`;
    if (reverse === true) return { forward, back: reverseName(forward) };
    if (reverse === false) return { forward, back: null };
    return { forward, back: reverse === name ? forward : reverse };
  });
}
