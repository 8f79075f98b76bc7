import type { Dice } from "./dice.ts";

type Path = readonly (string | number)[];

/**
 * The value with one to three places of it changed: replaced, left out, doubled, wrapped, or with a stranger beside it.
 */
export function mutateJson(dice: Dice, value: unknown): unknown {
  let mutated = structuredClone(value);
  for (let i = dice.integer(3); i >= 0; i--) mutated = changed(mutated, dice.pick(pathsOf(mutated)), dice);
  return mutated;
}

function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== "object" || value === null || path.length > 12) return [path];
  const inner = Object.entries(value).slice(0, 50);
  return [path, ...inner.flatMap(([key, one]) => pathsOf(one, [...path, key]))];
}

function changed(value: unknown, [key, ...rest]: Path, dice: Dice): unknown {
  if (key === undefined) return changedHere(value, dice);
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string | number, unknown>;
  if (rest.length === 0 && dice.chance(0.2)) delete copy[key];
  else copy[key] = changed(copy[key], rest, dice);
  return copy;
}

function changedHere(value: unknown, dice: Dice): unknown {
  switch (dice.integer(6)) {
    case 0:
      return [value, value];
    case 1:
      return { [dice.hostileText()]: value };
    case 2:
      if (typeof value === "object" && value !== null && !Array.isArray(value)) {
        return { ...value, [dice.hostileText()]: dice.hostileValue() };
      }
      return String(value);
    case 3:
      if (typeof value === "number") return dice.pick([-value, value * 1e12, value + 0.5, String(value)]);
      return dice.hostileText();
    default:
      return dice.hostileValue();
  }
}
