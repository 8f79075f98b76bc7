import type { Dice } from "./dice.ts";

/** What is used of a JSON Schema. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** A value that mostly fits the schema. */
export function sampleSchema(dice: Dice, schema: JsonSchema, depth = 0): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return dice.pick(schema.enum);
  if (schema.default !== undefined && dice.chance(0.5)) return schema.default;
  const choices = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (choices?.length) return sampleSchema(dice, dice.pick(choices), depth + 1);
  const type = Array.isArray(schema.type) ? dice.pick(schema.type as readonly string[]) : schema.type;
  switch (type) {
    case "object":
      return depth > 6 ? {} : sampleObject(dice, schema, depth);
    case "array":
      return depth > 6 ? [] : dice.times(1 + dice.integer(3), () => sampleSchema(dice, schema.items ?? {}, depth + 1));
    case "integer":
      return between(dice, schema);
    case "number":
      return between(dice, schema) + dice.pick([0, 0.25]);
    case "boolean":
      return dice.chance(0.5);
    case "null":
      return null;
    default:
      return dice.chance(0.8) ? dice.pick(["a", "cora", "label", "2", "features.npy"]) : dice.hostileText();
  }
}

function sampleObject(dice: Dice, { properties = {}, required = [] }: JsonSchema, depth: number): unknown {
  const named = Object.entries(properties).filter(([name]) => required.includes(name) || dice.chance(0.5));
  return Object.fromEntries(named.map(([name, inner]) => [name, sampleSchema(dice, inner, depth + 1)]));
}

function between(dice: Dice, { minimum = 0, maximum = 1000 }: JsonSchema): number {
  const low = Math.max(minimum, -1e6);
  const high = Math.min(maximum, 1e6);
  return dice.pick([low, high, low + dice.integer(Math.max(1, high - low))]);
}
