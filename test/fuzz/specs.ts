import { stringify } from "yaml";
import { type Arena, numSpares } from "./arena.ts";
import type { Dice } from "./dice.ts";
import type { Message } from "./exchange.ts";
import { deepText } from "./hostile.ts";
import { judgeAnswer, parseOrNull } from "./judge.ts";
import { mutateJson } from "./mutate-json.ts";
import { type JsonSchema, sampleSchema } from "./sample-schema.ts";
import type { Outcome, Target } from "./target.ts";

/** The schemas that the service publishes of its specs. */
export interface SpecSchemas {
  readonly job: JsonSchema;
  readonly dataset: JsonSchema;
}

/**
 * Job specs and dataset specs as JSON and YAML: fitting ones with a few places changed, and files that only look like
 * specs.
 */
export class SpecsTarget implements Target<Message> {
  readonly name = "specs";
  readonly #arena: Arena;
  readonly #schemas: SpecSchemas;

  constructor(arena: Arena, schemas: SpecSchemas) {
    this.#arena = arena;
    this.#schemas = schemas;
  }

  static async open(arena: Arena): Promise<SpecsTarget> {
    const { api } = arena.stack.client;
    const job = (await api.call("GET /v1/schemas/job-spec.json")) as JsonSchema;
    const dataset = (await api.call("GET /v1/schemas/dataset-spec.json")) as JsonSchema;
    return new SpecsTarget(arena, { job, dataset });
  }

  generate(dice: Dice): Message {
    const isJob = dice.chance(0.65);
    const spec = isJob ? jobSpecFrom(dice, this.#schemas.job) : datasetSpecFrom(dice, this.#schemas.dataset);
    const made = dice.chance(0.85) ? mutateJson(dice, spec) : spec;
    const isEstimate = isJob && dice.chance(0.4);
    const headers: Record<string, string> = { authorization: "{{authorization}}", "content-type": "application/json" };
    if (isEstimate) {
      const query = "query($spec: JobSpecInput!) { estimateJob(spec: $spec) { __typename } }";
      return { method: "POST", path: "/graphql", headers, body: JSON.stringify({ query, variables: { spec: made } }) };
    }
    const [method, path] = isJob
      ? ["POST", "/v1/jobs"]
      : ["PUT", `/v1/datasets/{{spareVersion${dice.integer(numSpares)}}}/spec`];
    if (dice.chance(0.5)) return { method, path, headers, body: JSON.stringify(made) };
    headers["content-type"] = "application/yaml";
    return { method, path, headers, body: yamlOf(dice, made) };
  }

  async run(message: Message): Promise<Outcome> {
    const answer = await this.#arena.send(message);
    const judged = judgeAnswer(answer, false);
    if (answer.how === "answered" && answer.status < 300) await this.#cancel(answer.body);
    return judged;
  }

  /** Jobs that nobody runs would pile up. */
  async #cancel(body: string): Promise<void> {
    const id = (parseOrNull(body) as { id?: unknown } | null)?.id;
    if (typeof id !== "string") return;
    const headers = { authorization: "{{authorization}}" };
    await this.#arena.send({ method: "POST", path: `/v1/jobs/${id}/cancel`, headers });
  }
}

function jobSpecFrom(dice: Dice, schema: JsonSchema): unknown {
  const fitting = {
    version: 1,
    kind: "train",
    dataset: "{{dataset}}",
    task: { target: "label" },
    train: { epochs: 1 },
  };
  if (dice.chance(0.4)) return fitting;
  return { ...(sampleSchema(dice, schema) as object), version: 1, kind: "train", dataset: "{{dataset}}" };
}

function datasetSpecFrom(dice: Dice, schema: JsonSchema): unknown {
  if (dice.chance(0.5)) return sampleSchema(dice, schema);
  const nodes = { files: ["edges.csv"], id: "src", label: "dst", features: { columns: ["src"] } };
  return { edges: { files: ["edges.csv"], src: "src", dst: "dst" }, nodes };
}

function yamlOf(dice: Dice, spec: unknown): string {
  if (dice.chance(0.1)) return dice.sample(deepText);
  const text = asYaml(spec);
  return dice.pick([
    text,
    text,
    text.slice(0, dice.integer(text.length + 1)),
    text.replace(": ", ": &a "),
    text.replace(": ", ": *a "),
    text.replace(": ", `: !!${dice.pick(["js/function", "binary", "set", "omap", "timestamp", "python/object"])} `),
    `<<: *x\n${text}`,
    `%YAML 9.9\n---\n${text}---\n${text}`,
    text.replaceAll("\n", "\n\t"),
    bomb,
  ]);
}

function asYaml(spec: unknown): string {
  try {
    return stringify(spec);
  } catch {
    return JSON.stringify(spec) ?? ""; // half of a surrogate pair, for one
  }
}

/** Nine lines that stand for a billion words. */
const bomb = Array.from(
  { length: 9 },
  (_, i) =>
    `a${i}: &a${i} [${
      i === 0
        ? "x"
        : Array(9)
            .fill(`*a${i - 1}`)
            .join()
    }]`,
).join("\n");
