import { canonicalJson } from "@hopwise/contracts";
import { choosePreset, type GraphFigures, type JobPreset } from "@hopwise/gnn-core/spec";
import type { Changes } from "../settings.ts";

/** What could be tried, before it has been checked. */
export interface Proposed {
  readonly title: string;
  readonly changes: Changes;
}

export interface Proposals {
  /** The graph's figures, and what they ask for */
  readonly reason: string;
  readonly proposed: readonly Proposed[];
}

/** What the search is about. */
export interface SearchTask {
  readonly type: string;
  /** What it is learnt from, one after the other */
  readonly seeds: "nodes" | "allNodes" | "edges" | "edgeRows" | "graphs";
}

const mostProposed = 36;

/**
 * What suits a graph, the most advisable first: the presets of its situation, the spec as it was sent, the presets of
 * other situations, then the first ones with another learning rate, penalty, width, dropout or reading of the features.
 * What the spec itself says is never changed.
 */
export function proposalsFor(figures: GraphFigures, task: SearchTask, spec: Changes): Proposals {
  const { preset, others, reason } = choosePreset(figures);
  const suited = [preset, ...others].filter((each) => suits(each, task));
  const own = suited.filter(({ situation }) => situation === preset.situation);
  const foreign = suited.filter(({ situation }) => situation !== preset.situation);
  const wide = [...own.map(proposalOf), { title: "the defaults", changes: {} }, ...foreign.map(proposalOf)];
  const near = variations.flatMap((vary) => own.slice(0, 3).flatMap((each) => vary(proposalOf(each))));
  const proposed = distinct([...wide, ...near].map((each) => ({ ...each, changes: withoutSaid(each.changes, spec) })));
  return { reason, proposed: proposed.filter((each) => namesModelOf(spec, each)).slice(0, mostProposed) };
}

/** Presets that name a task are for it alone, those of whole graphs for tasks on them. */
function suits({ situation, spec }: JobPreset, { type, seeds }: SearchTask): boolean {
  if (spec.task) return spec.task.type === type;
  if (seeds === "edges" || seeds === "edgeRows") return false;
  return (situation === "whole-graphs") === (seeds === "graphs");
}

/** A preset as changes of single fields, so that what a spec says beside them stays. */
function proposalOf({ title, spec }: JobPreset): Proposed {
  const { features = {}, train = {}, sampling, model } = spec;
  const fields = [
    ...Object.entries(features).map(([name, value]) => [`features.${name}`, value] as const),
    ...Object.entries(train).map(([name, value]) => [`train.${name}`, value] as const),
    ...Object.entries({ sampling, model }).filter(([, value]) => value !== undefined),
  ];
  return { title, changes: Object.fromEntries(fields) };
}

type Vary = (from: Proposed) => Proposed[];

/** One thing at a time, of the first presets. */
const variations: readonly Vary[] = [
  varyOption("train.optimizer", "lr", "a third of the learning rate", (lr) => lr / 3),
  varyOption("train.optimizer", "weightDecay", "another penalty", (decay) => (decay === 0 ? 5e-4 : decay / 10)),
  varyOption("model", "hiddenFeats", "twice as wide", (width) => width * 2),
  varyOption("model", "dropout", "another dropout", (dropout) => (dropout > 0.4 ? 0.3 : 0.6)),
  ({ title, changes }) =>
    Array.isArray(changes["features.transforms"]) && changes["features.transforms"].length > 0
      ? [{ title: `${title}, features as they are`, changes: { ...changes, "features.transforms": [] } }]
      : [],
  varyOption("train.optimizer", "weightDecay", "ten times the penalty", (decay) => (decay === 0 ? 5e-3 : decay * 10)),
];

/** Changes a number among the options of a component; what does not name it is not varied. */
function varyOption(path: string, option: string, what: string, change: (value: number) => number): Vary {
  return ({ title, changes }) => {
    const choice = changes[path] as { readonly options?: Readonly<Record<string, unknown>> } | undefined;
    const value = choice?.options?.[option];
    if (typeof value !== "number") return [];
    // Without the last digits of a binary fraction: the number is shown.
    const options = { ...choice?.options, [option]: Number(change(value).toPrecision(3)) };
    return [{ title: `${title}, ${what}`, changes: { ...changes, [path]: { ...choice, options } } }];
  };
}

/** Without the fields that the spec names itself; a model that it names without options takes the candidate's. */
function withoutSaid(changes: Changes, spec: Changes): Changes {
  return Object.fromEntries(
    Object.entries(changes).filter(([path]) =>
      path === "model" ? !hasOptions(spec["model"]) : valueAt(spec, path.split(".")) === undefined,
    ),
  );
}

function hasOptions(model: unknown): boolean {
  return typeof model === "object" && model !== null && "options" in model;
}

/** Whether it trains the model that the spec names; one that names none leaves it to the candidate. */
function namesModelOf(spec: Changes, { changes }: Proposed): boolean {
  const type = valueAt(spec, ["model", "type"]);
  const own = valueAt(changes, ["model"]);
  return type === undefined || own === undefined || valueAt({ own }, ["own", "type"]) === type;
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, name) => {
    return typeof at === "object" && at !== null && Object.hasOwn(at, name) ? (at as Changes)[name] : undefined;
  }, value);
}

function distinct(proposed: readonly Proposed[]): Proposed[] {
  const seen = new Map<string, Proposed>();
  for (const each of proposed) {
    const key = canonicalJson(each.changes);
    if (!seen.has(key)) seen.set(key, each);
  }
  return [...seen.values()];
}
