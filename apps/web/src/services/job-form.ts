import type { DatasetSpec, NodesSection } from "@hopwise/contracts";
import type { TaskChoice } from "./job-task.ts";
import { fieldOfPointer } from "./json-pointer.ts";
import { type JsonSchema, schemaAt, shapeOf } from "./json-schema.ts";
import type { ShownProblem } from "./problem.ts";

export interface CatalogComponent {
  readonly kind: string;
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  readonly reference: string | null;
  readonly optionsSchema: JsonSchema;
}

export interface Catalog {
  readonly components: readonly CatalogComponent[];
  readonly jobSpecSchema: JsonSchema;
}

/** Sections of the spec that choose a component, in the order of the form. */
export const componentSections = [
  { section: "model", kind: "model", title: "Model", help: "What is learned." },
  { section: "sampling", kind: "sampler", title: "Sampler", help: "Which neighbours a training step looks at." },
  {
    section: "partition",
    kind: "partitioner",
    title: "Partitioner",
    help: "How the graph is cut into one part per rank.",
  },
] as const;

/** A JobSpec as the form holds it: only what differs from the defaults, so that the shown mutation stays short. */
export type SparseSpec = Readonly<Record<string, unknown>>;

export interface TrainableDataset {
  readonly id: string;
  readonly number: number;
  readonly spec: DatasetSpec | null;
  /** What its columns let one learn */
  readonly tasks: readonly TaskChoice[];
}

/** Stands for a dataset without a column to learn: the API refuses it and says what the dataset lacks. */
const nothingToLearn = { target: "label" };

/** What a training job on this dataset must say at least. */
export function baseSpec(dataset: TrainableDataset): SparseSpec {
  const { graphs, tu } = dataset.spec ?? {};
  const isSet = graphs !== undefined || tu !== undefined;
  const split = isSet ? graphs?.split : splitOfNodes(dataset.spec);
  return {
    version: 1,
    kind: "train",
    dataset: `${dataset.id}@${dataset.number}`,
    task: dataset.tasks[0]?.task ?? nothingToLearn,
    split: split ? { type: "column", column: split } : { type: "random" },
    // Models need something to read: without features, what the edges say of each node.
    ...(dataset.spec && !hasFeatures(dataset.spec) && { features: { structural: isSet ? { method: "degree" } : {} } }),
  };
}

/** The column that says on which side nodes are, or the name of one that masks or lists of ids stand for. */
function splitOfNodes(spec: DatasetSpec | null): string | null {
  const given = nodeSections(spec).find(({ split, splitMasks, splitFiles }) => split ?? splitMasks ?? splitFiles);
  return given ? (given.split ?? "split") : null;
}

function hasFeatures(spec: DatasetSpec): boolean {
  const { nodeLabels = null, nodeAttributes = null } = spec.tu ?? {};
  return nodeLabels !== null || nodeAttributes !== null || nodeSections(spec).some(({ features }) => features !== null);
}

/** Columns of the nodes, of one table or of one for each type. */
function nodeSections(spec: DatasetSpec | null): readonly NodesSection[] {
  return [...(spec?.nodes ? [spec.nodes] : []), ...Object.values(spec?.nodeTypes ?? {})];
}

/** Another dataset under the same settings; features are made from edges only where it has none. */
export function withBase(spec: SparseSpec, base: SparseSpec): SparseSpec {
  const { structural, ...features } = (spec["features"] ?? {}) as Record<string, unknown>;
  // Said to be none: the model reads no columns at all.
  if (structural === null) return { ...spec, ...base, features: { ...features, structural } };
  return { ...spec, ...base, features: { ...features, ...(base["features"] as SparseSpec | undefined) } };
}

/** An object with one property set; a value equal to its default is left out, and nothing left is undefined. */
export function withChild(
  object: Readonly<Record<string, unknown>>,
  name: string,
  value: unknown,
  schema: JsonSchema,
): Record<string, unknown> | undefined {
  const { [name]: _old, ...others } = object;
  const isDefault = value === undefined || JSON.stringify(value) === JSON.stringify(schema.default);
  const next = isDefault ? others : { ...object, [name]: value };
  return Object.keys(next).length > 0 ? next : undefined;
}

/** Pointers of every field that a schema draws below `path`. */
export function fieldPointers(schema: JsonSchema, path: string): string[] {
  const shape = shapeOf(schema);
  const own = [path];
  if (shape.kind === "object") {
    return [
      ...own,
      ...Object.entries(shape.properties).flatMap(([name, child]) => fieldPointers(child, `${path}/${name}`)),
    ];
  }
  if (shape.kind === "literalOr") return [...own, ...fieldPointers(shape.other, path)];
  if (shape.kind === "variants") {
    return [...own, ...Object.values(shape.variants).flatMap((one) => fieldPointers(one, path))];
  }
  return own;
}

/** What a spec says that no section of the form draws: what the job is about, and what pages set themselves. */
const drawnElsewhere: ReadonlySet<string> = new Set(["version", "kind", "name", "project", "dataset", "continueFrom"]);

/** Sections of the spec that choose no component, in the order of its schema. */
export function plainSections({ jobSpecSchema }: Catalog): [name: string, schema: JsonSchema][] {
  const isPlain = (name: string) =>
    !drawnElsewhere.has(name) && !componentSections.some(({ section }) => section === name);
  return Object.entries(jobSpecSchema.properties ?? {}).filter(([name]) => isPlain(name));
}

/** Pointers of every field of the form as it stands. */
export function formPointers(spec: SparseSpec, catalog: Catalog): string[] {
  const { components, jobSpecSchema } = catalog;
  const plain = plainSections(catalog).flatMap(([name, schema]) => fieldPointers(schema, `/${name}`));
  const chosen = componentSections.flatMap(({ section, kind }) => {
    const type =
      (spec[section] as { type?: string } | undefined)?.type ?? schemaAt(jobSpecSchema, [section, "type"])?.default;
    const component = components.find((one) => one.kind === kind && one.name === type);
    const options = component ? fieldPointers(component.optionsSchema, `/${section}/options`).slice(1) : [];
    return [`/${section}/type`, `/${section}`, ...options];
  });
  return ["/dataset", "/name", ...plain, ...chosen];
}

/** The message of a refusal at the field it means; `isPlaced` is false when no field is meant. */
export function errorsByField(problem: ShownProblem | null, pointers: readonly string[]) {
  const field = problem?.pointer ? fieldOfPointer(problem.pointer, pointers) : null;
  // The pointer before the sentence is for readers of JSON; here the field itself says where.
  const detail = problem?.detail.replace(`${problem.pointer}: `, "") ?? "";
  const errors = new Map(field === null ? [] : [[field, detail]]);
  return { errors, isPlaced: field !== null };
}
