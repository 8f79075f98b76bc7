import { type ComponentKind, catalogOf, jobPresets, type Registry, situations } from "@hopwise/gnn-core/spec";
import { jobSpecSchema } from "./spec-schemas.ts";

interface Schema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly format?: string;
}

const sections: readonly [ComponentKind, string, string][] = [
  ["model", "Models", "model"],
  ["sampler", "Samplers", "sampling"],
  ["partitioner", "Partitioners", "partition"],
];

/** docs/guides/job-spec.md: every field of a job spec and the options of every component. */
export function jobSpecPage(registry: Registry): string {
  const catalog = catalogOf(registry);
  const schema = jobSpecSchema(catalog) as Schema;
  const components = sections.map(([kind, title, field]) => {
    const entries = catalog.filter((entry) => entry.kind === kind);
    const parts = entries.map(({ name, title: heading, summary, reference, optionsSchema }) => {
      const rows = rowsOf(optionsSchema, "");
      const source = reference === null ? "" : ` ${reference}.`;
      return `### \`${name}\`: ${heading}\n\n${summary}${source}\n\n${rows.length > 0 ? tableOf(rows) : "No options."}`;
    });
    return `## ${title}\n\nChosen by \`${field}.type\`, their options under \`${field}.options\`.\n\n${parts.join("\n\n")}`;
  });
  return `# Job spec

What \`POST /v1/jobs\`, GraphQL's \`submitJob(spec:)\` and the form submit. Everything but \`version\`, \`kind\`, \`dataset\` and
\`task.target\` has a default; a wrong field is refused with its JSON pointer. \`POST /v1/jobs/estimate\` says what a spec will need.
The JSON Schema is at \`/v1/schemas/job-spec.json\`, components and presets at \`/v1/catalog\`.

\`\`\`json
{ "version": 1, "kind": "train", "dataset": "ds_…", "task": { "target": "label" }, "resources": { "ranks": 2 } }
\`\`\`

Presets are sections to lay over the defaults, a model for a situation; \`GET /v1/datasets/:id/preset\` proposes one from the graph's figures, with the reason:

| situation | for | presets |
|---|---|---|
${situations.map(presetRow).join("\n")}

Written by \`script/print-job-spec\`.

## Fields

${tableOf(rowsOf(schema, ""))}

${components.join("\n\n")}
`;
}

function presetRow({ name, title, summary }: (typeof situations)[number]): string {
  const names = jobPresets.filter(({ situation }) => situation === name).map((preset) => `\`${preset.name}\``);
  return `| ${title} | ${summary} | ${names.join(", ")} |`;
}

type Row = readonly [field: string, type: string, byDefault: string, meaning: string];

/** One row a field, nested fields by path; of alternatives that are objects, the fields of each. */
function rowsOf(schema: Schema, path: string): Row[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const isRequired = field.default === undefined && (schema.required ?? []).includes(name);
    return rowsOfField(field, path === "" ? name : `${path}.${name}`, isRequired);
  });
}

function rowsOfField(field: Schema, at: string, isRequired: boolean): Row[] {
  const variants = alternatives(field);
  const objects = variants.filter(({ properties }) => properties !== undefined);
  if (objects.length === 0) {
    const byDefault = isRequired ? "required" : code(field.default);
    return [[quoted(at), variants.map(typeOf).join(" or "), byDefault, field.description ?? ""]];
  }
  const isPlain = variants.length === 1 && field.description === undefined;
  const types = [...new Set(variants.map(typeOf))].join(" or ");
  const head: Row[] = isPlain ? [] : [[quoted(at), types, code(field.default), field.description ?? ""]];
  const seen = new Map<string, Row>();
  for (const row of objects.flatMap((variant) => rowsOf(variant, at))) {
    const earlier = seen.get(row[0]);
    seen.set(row[0], earlier ? joined(earlier, row) : row);
  }
  return [...head, ...seen.values()];
}

/** A field that several alternatives have, with what differs between them. */
function joined(one: Row, other: Row): Row {
  const [field, type, byDefault, meaning] = one.map((cell, i) =>
    cell.split(" or ").includes(other[i] ?? "") || other[i] === cell
      ? cell
      : [cell, other[i]].filter(Boolean).join(" or "),
  );
  return [field ?? "", type ?? "", byDefault ?? "", meaning ?? ""];
}

const alternatives = (field: Schema): readonly Schema[] => field.anyOf ?? field.oneOf ?? [field];

function typeOf(schema: Schema): string {
  if (schema.const !== undefined) return code(schema.const);
  if (schema.enum) return schema.enum.map((value) => code(value)).join(" ");
  if (schema.type === "array")
    return `list of ${alternatives(schema.items ?? {})
      .map(typeOf)
      .join(" or ")}`;
  return [schema.format === "duration" ? "ISO 8601 duration" : (schema.type ?? "any"), rangeOf(schema)]
    .filter(Boolean)
    .join(" ");
}

function rangeOf({ minimum, exclusiveMinimum, maximum }: Schema): string {
  const most = maximum === undefined || maximum >= 2 ** 31 - 1 ? null : maximum;
  const least =
    minimum !== undefined && minimum > -(2 ** 31)
      ? `≥ ${minimum}`
      : exclusiveMinimum === undefined
        ? null
        : `> ${exclusiveMinimum}`;
  return [least, most === null ? null : `≤ ${most}`].filter(Boolean).join(", ");
}

const code = (value: unknown): string => (value === undefined ? "" : quoted(JSON.stringify(value)));

const quoted = (text: string): string => `\`${text.replaceAll("|", "\\|")}\``;

function tableOf(rows: readonly Row[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(["field", "type", "default", "meaning"]), "|---|---|---|---|", ...rows.map(line)].join("\n");
}
