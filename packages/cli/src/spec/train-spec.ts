import { CliError } from "../cli-error.ts";

/** What the options of `hopwise train` say. */
export interface TrainFlags {
  readonly model?: string;
  readonly sampler?: string;
  readonly numNeighbors?: string;
  readonly batchSize?: number;
  readonly nHidden?: number;
  readonly nLayers?: number;
  readonly dropout?: number;
  readonly epochs?: number;
  readonly lr?: number;
  readonly seed?: number;
  readonly ranks?: number;
  readonly samplers?: number;
  readonly name?: string;
  readonly keep?: string;
  readonly startFrom?: string;
  readonly freeze?: readonly string[];
  readonly tag?: readonly string[];
  readonly set?: readonly string[];
}

export type Json = { [name: string]: unknown };

/** Samplers that are told one number of neighbours for all hops; the others take one for each hop. */
const withOneNumber = new Set(["controlVariate"]);
const usualLayers = 2;

/**
 * Lays the options over a spec: what an option says goes before the spec, and `--set` before all. Nothing is said that
 * was not asked for, so defaults are the service's own.
 *
 * @throws CliError when options cannot go together
 */
export function specFromFlags(base: Json, flags: TrainFlags): Json {
  const spec = structuredClone(base);
  const set = (path: string, value: unknown) => {
    if (value !== undefined) setAt(spec, path.split("."), value);
  };
  const { model, sampler } = chosenComponents(flags);
  set("model.type", model);
  set("sampling.type", sampler);
  set("model.options.hiddenFeats", flags.nHidden);
  set("model.options.numLayers", flags.nLayers);
  set("model.options.dropout", flags.dropout);
  set("train.batchSize", flags.batchSize);
  set("train.epochs", flags.epochs);
  set("train.optimizer.options.lr", flags.lr);
  set("train.seed", flags.seed);
  set("resources.ranks", flags.ranks);
  set("resources.samplers", flags.samplers);
  set("name", flags.name);
  set("outputs.model", flags.keep);
  set("startFrom.model", flags.startFrom);
  set("startFrom.freeze", flags.freeze);
  if (flags.numNeighbors !== undefined) setNeighbors(spec, flags.numNeighbors, flags.nLayers);
  for (const tag of flags.tag ?? []) {
    const [name, text] = pair(tag, "--tag");
    setAt(spec, ["tags", name], text);
  }
  for (const assignment of flags.set ?? []) {
    const [path, text] = pair(assignment, "--set");
    setAt(spec, path.split("."), jsonOrText(text));
  }
  return spec;
}

/** `gcn_cv`, as DGL's example of control variates has it, is the model gcn with that sampler. */
function chosenComponents({ model, sampler }: TrainFlags): Pick<TrainFlags, "model" | "sampler"> {
  const [, plain] = /^(.*)_cv$/.exec(model ?? "") ?? [];
  const choice = plain === undefined ? { model, sampler } : { model: plain, sampler: sampler ?? "controlVariate" };
  return Object.fromEntries(Object.entries(choice).filter(([, value]) => value !== undefined));
}

/** `--num-neighbors 10`: as many in every hop; `10,25`: of each hop. */
function setNeighbors(spec: Json, text: string, nLayers: number | undefined): void {
  const numbers = text.split(",").map(Number);
  if (numbers.some((number) => !Number.isSafeInteger(number))) {
    throw new CliError(
      "usage",
      `--num-neighbors: found "${text}", expected a whole number, or one for each hop as 10,25.`,
    );
  }
  const sampler = (spec["sampling"] as Json | undefined)?.["type"];
  const [first] = numbers;
  if (withOneNumber.has(String(sampler))) {
    if (numbers.length > 1) {
      throw new CliError("usage", `--num-neighbors: the sampler ${String(sampler)} takes one number for all hops.`);
    }
    return setAt(spec, ["sampling", "options", "numNeighbors"], first);
  }
  const options = (spec["model"] as Json | undefined)?.["options"] as Json | undefined;
  const numLayers = nLayers ?? Number(options?.["numLayers"] ?? usualLayers);
  const fanouts = numbers.length > 1 ? numbers : Array.from({ length: numLayers }, () => first);
  setAt(spec, ["sampling", "options", "fanouts"], fanouts);
}

function setAt(spec: Json, path: readonly string[], value: unknown): void {
  let at = spec;
  for (const name of path.slice(0, -1)) {
    // A name like __proto__ is a field like any other.
    const next = Object.hasOwn(at, name) ? at[name] : undefined;
    const inner: Json = typeof next === "object" && next !== null && !Array.isArray(next) ? (next as Json) : {};
    Object.defineProperty(at, name, { value: inner, enumerable: true, configurable: true, writable: true });
    at = inner;
  }
  const last = path.at(-1) ?? "";
  Object.defineProperty(at, last, { value, enumerable: true, configurable: true, writable: true });
}

function pair(text: string, option: string): [string, string] {
  const at = text.indexOf("=");
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)];
  throw new CliError("usage", `${option}: found "${text}", expected name=value.`);
}

/** `--set train.epochs=3` is a number, `--set name=my run` a text. */
function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
