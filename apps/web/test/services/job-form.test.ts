import { datasetSpec, jobSpec } from "@hopwise/contracts";
import { expect, test } from "vitest";
import { z } from "zod";
import {
  baseSpec,
  type Catalog,
  errorsByField,
  fieldPointers,
  formPointers,
  withChild,
} from "../../src/services/job-form.ts";
import { fieldOfPointer } from "../../src/services/json-pointer.ts";
import { type JsonSchema, rangeOf, shapeOf } from "../../src/services/json-schema.ts";
import { commandText, curlText, typescriptText } from "../../src/services/request-text.ts";

const jobSpecSchema = z.toJSONSchema(jobSpec, { io: "input" }) as JsonSchema;
const sampler: JsonSchema = {
  type: "object",
  properties: { fanouts: { type: "array", items: { type: "integer" } }, replace: { type: "boolean", default: false } },
};
const catalog: Catalog = {
  components: [
    { kind: "sampler", name: "neighbor", title: "Neighbour", summary: "", reference: null, optionsSchema: sampler },
  ],
  jobSpecSchema,
};
const shape = (schema: z.ZodType) => shapeOf(z.toJSONSchema(schema, { io: "input" }) as JsonSchema);
const range = (schema: z.ZodType) => rangeOf(z.toJSONSchema(schema, { io: "input" }) as JsonSchema);
const dataset = { id: "ds_1", number: 2, spec: null, tasks: [] };

test("the spec that the form begins with is one the contract accepts", () => {
  expect(jobSpec.safeParse(baseSpec(dataset)).success).toBe(true);
});

test.each([
  ["a column", { split: "side" }, { type: "column", column: "side" }],
  ["masks", { splitMasks: { train: "a", val: "b", test: "c" } }, { type: "column", column: "split" }],
  [
    "lists of ids",
    { splitFiles: { train: { files: ["t.csv"], id: "id" }, test: { files: ["s.csv"], id: "id" } } },
    { type: "column", column: "split" },
  ],
  ["nothing", {}, { type: "random" }],
])("the form goes by the split that the dataset has: %s", (_what, given, split) => {
  const spec = datasetSpec.parse({
    edges: { files: ["e.csv"], src: "a", dst: "b" },
    nodes: { files: ["n.csv"], id: "id", label: "label", ...given },
  });
  expect(baseSpec({ id: "ds_1", number: 1, spec, tasks: [] })["split"]).toEqual(split);
});

test("a value equal to the default is left out of the spec", () => {
  const schema: JsonSchema = { type: "integer", default: 50 };
  expect(withChild({ seed: 1 }, "epochs", 60, schema)).toEqual({ seed: 1, epochs: 60 });
  expect(withChild({ seed: 1, epochs: 60 }, "epochs", 50, schema)).toEqual({ seed: 1 });
  expect(withChild({ epochs: 60 }, "epochs", 50, schema)).toBeUndefined();
});

test("an error inside a list belongs to the field of the list", () => {
  const problem = {
    code: "JOB_SPEC_INVALID",
    title: "The job spec is not valid",
    detail: "Found -3, expected at least 1.",
    pointer: "/sampling/options/fanouts/1",
  };
  const { errors, isPlaced } = errorsByField(problem, formPointers({}, catalog));
  expect(isPlaced).toBe(true);
  expect([...errors]).toEqual([["/sampling/options/fanouts", "Found -3, expected at least 1."]]);
});

test("the field of the longest beginning wins, and a name that only begins alike does not", () => {
  expect(fieldOfPointer("/train/optimizer/options/lr", ["/train", "/train/optimizer/options/lr"])).toBe(
    "/train/optimizer/options/lr",
  );
  expect(fieldOfPointer("/trainer", ["/train"])).toBeNull();
  expect(fieldOfPointer("/spec/train/epochs", ["/train/epochs"])).toBe("/train/epochs");
});

test("an error that names no field of the form is not placed", () => {
  const problem = { code: "JOB_TOO_LARGE", title: "", detail: "", pointer: "/somewhere" };
  expect(errorsByField(problem, formPointers({}, catalog)).isPlaced).toBe(false);
});

test("every section of the real JobSpec has a pointer for each of its fields", () => {
  const pointers = formPointers({}, catalog);
  for (const pointer of [
    "/train/epochs",
    "/train/optimizer/options/lr",
    "/train/earlyStopping/patience",
    "/resources/ranks",
  ]) {
    expect(pointers).toContain(pointer);
  }
});

test("controls follow the schema that zod writes", () => {
  expect(shape(z.enum(["a", "b"]).default("a"))).toEqual({ kind: "select", options: ["a", "b"] });
  expect(shape(z.number().int())).toEqual({ kind: "number", integer: true });
  expect(shape(z.array(z.number().int()))).toEqual({ kind: "numbers", integer: true });
  expect(shape(z.union([z.literal("auto"), z.number().int()]))).toMatchObject({ kind: "literalOr", literal: "auto" });
  expect(shape(z.number().nullable().default(null))).toMatchObject({ kind: "literalOr", literal: null });
  expect(shape(z.literal(1))).toEqual({ kind: "fixed" });
  expect(shape(z.record(z.string(), z.string()))).toEqual({ kind: "record" });
  expect(shape(z.record(z.string(), z.unknown()))).toEqual({ kind: "json" });
  expect(shape(z.iso.duration().default("PT2H"))).toEqual({ kind: "duration" });
  const split = shape(
    z.discriminatedUnion("type", [z.object({ type: z.literal("x") }), z.object({ type: z.literal("y") })]),
  );
  expect(split).toMatchObject({ kind: "variants", tag: "type" });
});

test("ranges are said in words, and the bounds of a double are not", () => {
  expect(range(z.number().min(0).max(0.9))).toBe("0 to 0.9");
  expect(range(z.number().int().min(1))).toBe("at least 1");
  expect(range(z.number().positive())).toBe("more than 0");
  expect(range(z.number().int())).toBeNull();
});

test("a quote in the spec cannot end the shell's string", () => {
  expect(curlText({ name: "it's" }, null, "http://127.0.0.1:4680")).toContain(`it'\\''s`);
});

test("pointers of nested and optional groups are those of their fields", () => {
  const schema = z.toJSONSchema(z.object({ a: z.object({ b: z.number() }).nullable() }), { io: "input" }) as JsonSchema;
  expect(fieldPointers(schema, "/x")).toEqual(["/x", "/x/a", "/x/a", "/x/a/b"]);
});

test("the request as a program names the service, the spec and no key", () => {
  const text = typescriptText({ name: 'a "b"' }, null, "http://127.0.0.1:4680");
  expect(text).toContain('new HopwiseClient({ url: "http://127.0.0.1:4680", key: process.env.HOPWISE_API_KEY ?? "" })');
  expect(text).toContain('"name": "a \\"b\\""');
});

test("the request as a command is a document that its own last line ends", () => {
  const text = commandText({ name: "two\nJSON\nlines" }, null, "http://127.0.0.1:4680");
  expect(text).toContain("npx hopwise login http://127.0.0.1:4680");
  const [, body] = /<<'JSON'\n(.*)\nJSON$/s.exec(text) ?? [];
  expect(body?.split("\n")).not.toContain("JSON");
  expect(JSON.parse(body ?? "")).toEqual({ name: "two\nJSON\nlines" });
});
