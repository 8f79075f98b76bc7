import { formatDuration } from "./duration.ts";
import { humanize } from "./format.ts";
import { type Catalog, componentSections, plainSections, type SparseSpec } from "./job-form.ts";
import { type JsonSchema, schemaAt, shapeOf } from "./json-schema.ts";
import { optionText } from "./option-words.ts";

/** A setting of the form that is not as the form started. */
export interface SpecChange {
  readonly pointer: string;
  /** Such as "Training › Optimizer › Learning rate" */
  readonly label: string;
  readonly before: string;
  readonly now: string;
  /** What the spec said before; undefined: nothing, which means the default */
  readonly value: unknown;
}

type Values = Readonly<Record<string, unknown>>;

/** Sections by the names that the form gives them, where these are not their own */
const sectionTitles: Readonly<Record<string, string>> = {
  train: "Training",
  ...Object.fromEntries(componentSections.map(({ section, title }) => [section, title])),
};

export function sectionTitle(section: string): string {
  return sectionTitles[section] ?? humanize(section);
}

/**
 * Every setting that differs between two specs of the form, defaults filled in on both sides. Where a type was changed,
 * its own settings are not compared: they belong to the type.
 */
export function specChanges(spec: SparseSpec, start: SparseSpec, catalog: Catalog): SpecChange[] {
  const placeOf = (section: string): Place => ({ pointer: `/${section}`, labels: [sectionTitle(section)] });
  return [
    ...componentSections.flatMap(({ section, kind }) => {
      const find = (type: string) => catalog.components.find((one) => one.kind === kind && one.name === type);
      const schema = schemaAt(catalog.jobSpecSchema, [section]) ?? {};
      return componentChanges(placeOf(section), spec[section], start[section], schema, find);
    }),
    ...plainSections(catalog).flatMap(([section, schema]) =>
      fieldChanges(placeOf(section), spec[section], start[section], schema),
    ),
  ];
}

interface Place {
  readonly pointer: string;
  readonly labels: readonly string[];
}

function componentChanges(
  at: Place,
  now: unknown,
  before: unknown,
  schema: JsonSchema,
  find: (type: string) => Catalog["components"][number] | undefined,
): SpecChange[] {
  const fallback = schemaAt(schema, ["type"])?.default;
  const typeOf = (value: unknown) => textAt(value, "type") ?? (typeof fallback === "string" ? fallback : "");
  const [is, was] = [typeOf(now), typeOf(before)];
  if (is !== was) {
    const titleOf = (type: string) => find(type)?.title ?? type;
    return [changeAt(at, titleOf(was), titleOf(is), before)];
  }
  const optionsOf = (value: unknown) => (value as Values | undefined)?.["options"];
  const options = find(is)?.optionsSchema;
  const inside = { ...at, pointer: `${at.pointer}/options` };
  return options ? fieldChanges(inside, optionsOf(now), optionsOf(before), options) : [];
}

function fieldChanges(at: Place, now: unknown, before: unknown, schema: JsonSchema): SpecChange[] {
  const shape = shapeOf(schema);
  const [is, was] = [now ?? schema.default, before ?? schema.default];
  switch (shape.kind) {
    case "fixed":
      return [];
    case "object":
      return propertyChanges(at, is, was, shape.properties);
    case "variants": {
      const first = Object.keys(shape.variants)[0] ?? "";
      const typeOf = (value: unknown) => textAt(value, shape.tag) ?? first;
      if (typeOf(is) !== typeOf(was)) return [changeAt(at, optionText(typeOf(was)), optionText(typeOf(is)), before)];
      const variant = shapeOf(shape.variants[typeOf(is)] ?? {});
      return variant.kind === "object" ? propertyChanges(at, is, was, variant.properties) : [];
    }
    case "literalOr": {
      const isGroup = shapeOf(shape.other).kind === "object";
      const literal = shape.literal;
      if (isGroup && (is ?? null) !== literal && (was ?? null) !== literal)
        return fieldChanges(at, is, was, shape.other);
      return sameValue(is ?? null, was ?? null)
        ? []
        : [changeAt(at, valueOf(was, schema), valueOf(is, schema), before)];
    }
    default:
      return sameValue(is, was) ? [] : [changeAt(at, valueOf(was, schema), valueOf(is, schema), before)];
  }
}

function propertyChanges(
  { pointer, labels }: Place,
  now: unknown,
  before: unknown,
  properties: Readonly<Record<string, JsonSchema>>,
): SpecChange[] {
  return Object.entries(properties).flatMap(([name, child]) => {
    const label = child.title ?? humanize(name);
    const own = name === "options" ? labels : [...labels, label];
    const read = (value: unknown) => (isRecord(value) ? value[name] : undefined);
    return fieldChanges({ pointer: `${pointer}/${name}`, labels: own }, read(now), read(before), child);
  });
}

function changeAt({ pointer, labels }: Place, before: string, now: string, value: unknown): SpecChange {
  return { pointer, label: labels.join(" › "), before, now, value };
}

/** A value as the form writes it. */
function valueOf(value: unknown, schema: JsonSchema): string {
  if (value === undefined || value === null) return shapeOf(schema).kind === "literalOr" ? "off" : "nothing";
  if (typeof value === "boolean") return value ? "on" : "off";
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.map((item) => valueOf(item, {})).join(", ");
  if (isRecord(value)) return Object.keys(value).length === 0 || shapeOf(schema).kind === "literalOr" ? "on" : "set";
  if (typeof value !== "string") return JSON.stringify(value);
  const { kind } = shapeOf(schema);
  if (kind === "duration") return formatDuration(value);
  return kind === "select" ? optionText(value) : value;
}

function sameValue(a: unknown, b: unknown): boolean {
  return JSON.stringify(a ?? null) === JSON.stringify(b ?? null);
}

/** The spec with the value at a pointer as it was before; what is empty then is left out. */
export function withoutChange(spec: SparseSpec, { pointer, value }: SpecChange): SparseSpec {
  return put(spec, pointer.slice(1).split("/"), value) ?? {};
}

function put(object: unknown, [name, ...rest]: readonly string[], value: unknown): Values | undefined {
  const values = isRecord(object) ? object : {};
  if (name === undefined) return values;
  const next = rest.length === 0 ? value : put(values[name], rest, value);
  const { [name]: _old, ...others } = values;
  if (next !== undefined) return { ...values, [name]: next };
  return Object.keys(others).length > 0 ? others : undefined;
}

function textAt(value: unknown, name: string): string | null {
  const text = isRecord(value) ? value[name] : undefined;
  return typeof text === "string" ? text : null;
}

function isRecord(value: unknown): value is Values {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
