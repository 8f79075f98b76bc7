import { type Catalog, componentSections, type SparseSpec } from "./job-form.ts";
import { type JsonSchema, schemaAt, shapeOf } from "./json-schema.ts";

/**
 * The spec of a job that was submitted, as the form holds it: what differs from the defaults, and what must be said.
 *
 * @param checkpoint id of the checkpoint that training is to go on from; left out: it begins anew
 */
export function cloneSpec(spec: SparseSpec, catalog: Catalog, checkpoint?: string): SparseSpec {
  const { continueFrom: _, ...own } = spec;
  const sparse = Object.entries(own).flatMap(([name, value]): [string, unknown][] => {
    const kept = withoutDefaults(sectionOf(name, value, catalog), schemaAt(catalog.jobSpecSchema, [name]));
    const isNeeded = catalog.jobSpecSchema.required?.includes(name) ?? false;
    if (isNeeded) return [[name, kept ?? value]];
    return kept === undefined || isEmpty(kept) ? [] : [[name, kept]];
  });
  return { ...Object.fromEntries(sparse), ...(checkpoint !== undefined && { continueFrom: checkpoint }) };
}

/** A section that chooses a component has the component's own defaults among its options. */
function sectionOf(name: string, value: unknown, { components }: Catalog): unknown {
  const kind = componentSections.find(({ section }) => section === name)?.kind;
  const component = components.find((one) => one.kind === kind && isRecord(value) && one.name === value["type"]);
  if (!component || !isRecord(value)) return value;
  const options = withoutDefaults(value["options"], component.optionsSchema);
  const { options: _, ...choice } = value;
  return options === undefined || isEmpty(options) ? choice : { ...choice, options };
}

/** What of a value its schema does not say anyway; undefined when that is all. */
function withoutDefaults(value: unknown, schema: JsonSchema | undefined): unknown {
  if (schema === undefined) return value;
  if (JSON.stringify(value) === JSON.stringify(schema.default)) return undefined;
  const shape = shapeOf(schema);
  if (shape.kind !== "object" || !isRecord(value)) return value;
  const kept = Object.entries(value).flatMap(([name, child]): [string, unknown][] => {
    const said = withoutDefaults(child, shape.properties[name]);
    const isNeeded = schema.required?.includes(name) ?? false;
    if (isNeeded) return [[name, child]];
    return said === undefined || isEmpty(said) ? [] : [[name, said]];
  });
  return Object.fromEntries(kept);
}

function isEmpty(value: unknown): boolean {
  return isRecord(value) && Object.keys(value).length === 0;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
