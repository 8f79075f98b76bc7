/** The part of JSON Schema (draft 2020-12) that zod writes for option schemas. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly maxLength?: number;
  readonly format?: string;
  readonly additionalProperties?: JsonSchema | boolean;
}

/** Which control a schema is drawn with. */
export type FieldShape =
  | { readonly kind: "select"; readonly options: readonly string[] }
  | { readonly kind: "number"; readonly integer: boolean }
  | { readonly kind: "boolean" }
  | { readonly kind: "text" }
  | { readonly kind: "duration" }
  | { readonly kind: "numbers"; readonly integer: boolean }
  | { readonly kind: "texts"; readonly options: readonly string[] | null }
  | { readonly kind: "object"; readonly properties: Readonly<Record<string, JsonSchema>> }
  /** A literal such as "auto" or null, or else a value of the other schema. */
  | { readonly kind: "literalOr"; readonly literal: string | null; readonly other: JsonSchema }
  /** Objects told apart by a constant property. */
  | { readonly kind: "variants"; readonly tag: string; readonly variants: Readonly<Record<string, JsonSchema>> }
  /** Names of somebody's own choosing, each with a text */
  | { readonly kind: "record" }
  /** Fixed by the schema; nothing to choose. */
  | { readonly kind: "fixed" }
  | { readonly kind: "json" };

/** Decides the control; what has no better one is edited as JSON, so that any component can be configured. */
export function shapeOf(schema: JsonSchema): FieldShape {
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return shapeOfUnion(options);
  if (Array.isArray(schema.type)) return shapeOfUnion(schema.type.map((type: string) => ({ ...schema, type })));
  if (schema.allOf?.length === 1 && schema.allOf[0]) return shapeOf(schema.allOf[0]);
  if ("const" in schema) return { kind: "fixed" };
  if (schema.enum)
    return schema.enum.length === 1 ? { kind: "fixed" } : { kind: "select", options: schema.enum.map(String) };
  switch (schema.type) {
    case "integer":
    case "number":
      return { kind: "number", integer: schema.type === "integer" };
    case "boolean":
      return { kind: "boolean" };
    case "string":
      return { kind: schema.format === "duration" ? "duration" : "text" };
    case "array":
      return shapeOfArray(schema.items ?? {});
    case "object":
      if (schema.properties) return { kind: "object", properties: schema.properties };
      return { kind: isRecordOfTexts(schema) ? "record" : "json" };
    default:
      return { kind: "json" };
  }
}

function isRecordOfTexts({ additionalProperties: value }: JsonSchema): boolean {
  return typeof value === "object" && value.type === "string" && value.enum === undefined;
}

function shapeOfUnion(options: readonly JsonSchema[]): FieldShape {
  const literals = options.filter((one) => one.type === "null" || typeof one.const === "string");
  const others = options.filter((one) => !literals.includes(one));
  const [literal] = literals;
  const [other] = others;
  if (literals.length === options.length) return { kind: "select", options: options.map((one) => String(one.const)) };
  if (literal && other && literals.length === 1 && others.length === 1) {
    return { kind: "literalOr", literal: literal.type === "null" ? null : String(literal.const), other };
  }
  const tag = tagOf(options);
  if (tag === null) return { kind: "json" };
  return {
    kind: "variants",
    tag,
    variants: Object.fromEntries(options.map((one) => [String(one.properties?.[tag]?.const), one])),
  };
}

function tagOf(options: readonly JsonSchema[]): string | null {
  const candidates = Object.keys(options[0]?.properties ?? {});
  return candidates.find((name) => options.every((one) => typeof one.properties?.[name]?.const === "string")) ?? null;
}

function shapeOfArray(items: JsonSchema): FieldShape {
  if (items.type === "integer" || items.type === "number")
    return { kind: "numbers", integer: items.type === "integer" };
  if (items.enum) return { kind: "texts", options: items.enum.map(String) };
  return items.type === "string" ? { kind: "texts", options: null } : { kind: "json" };
}

/** "0 to 1", "at least 1", "more than 0": the range in words; null without one. */
export function rangeOf(schema: JsonSchema): string | null {
  const { minimum: low, maximum: high, exclusiveMinimum: above, exclusiveMaximum: below } = schema;
  // zod bounds every integer by what a double can hold; that is no news to anyone.
  const top = high !== undefined && high < Number.MAX_SAFE_INTEGER ? high : undefined;
  const bottom = low !== undefined && low > Number.MIN_SAFE_INTEGER ? low : undefined;
  if (bottom !== undefined && top !== undefined) return `${bottom} to ${top}`;
  if (above !== undefined && top !== undefined) return `more than ${above}, at most ${top}`;
  if (bottom !== undefined && below !== undefined) return `${bottom} to below ${below}`;
  if (bottom !== undefined) return `at least ${bottom}`;
  if (above !== undefined) return `more than ${above}`;
  if (top !== undefined) return `at most ${top}`;
  return below === undefined ? null : `below ${below}`;
}

/** The child schema at a path of property names; variants are looked through. */
export function schemaAt(schema: JsonSchema | undefined, path: readonly string[]): JsonSchema | undefined {
  return path.reduce<JsonSchema | undefined>((at, name) => at?.properties?.[name], schema);
}
