import { canonicalJson } from "@hopwise/contracts";
import {
  type AskedTask,
  choosePreset,
  type GraphFigures,
  type JobPreset,
  questionsOfLinks,
  type SituationName,
} from "@hopwise/gnn-core/spec";
import type { Changes } from "../settings.ts";
import { variations } from "./variations.ts";

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

const mostProposed = 40;

/**
 * What suits a graph and a task, the most advisable first: the presets of its situation, the spec as it was sent, then
 * in turn the first ones with one thing changed and the presets of other situations. What the spec itself says is never
 * changed.
 */
export function proposalsFor(figures: GraphFigures, task: AskedTask, spec: Changes): Proposals {
  const { preset, others, reason } = choosePreset(figures, task);
  const suited = [preset, ...others].filter((each) => suits(each, task, preset.situation));
  const own = suited.filter(({ situation }) => situation === preset.situation).map(proposalOf(task));
  const foreign = suited.filter(({ situation }) => situation !== preset.situation).map(proposalOf(task));
  const near = variations.flatMap((vary) => own.slice(0, 3).flatMap(vary));
  const wide = [...own, theDefaults(figures, task), ...inTurn(near, foreign)];
  const proposed = distinct(wide.map((each) => ({ ...each, changes: fitted(each.changes, spec) })));
  return { reason, proposed: proposed.filter((each) => namesModelOf(spec, each)).slice(0, mostProposed) };
}

/** Which seeds the presets of a situation are for; of all others nodes. */
const seedsOfSituation: Partial<Record<SituationName, AskedTask["seeds"]>> = {
  links: "edges",
  "links-by-time": "edges",
  knowledge: "edges",
  recommendation: "edges",
  "labelled-edges": "edgeRows",
  "whole-graphs": "graphs",
  "no-labels": "allNodes",
  "large-no-labels": "allNodes",
};

/** Presets that name a task are for it alone; those of links for their own question, or for any. */
function suits({ situation, spec }: JobPreset, { type, seeds }: AskedTask, own: SituationName): boolean {
  if ((seedsOfSituation[situation] ?? "nodes") !== seeds) return false;
  if (spec.task?.type !== undefined && spec.task.type !== type) return false;
  return seeds !== "edges" || situation === own || (situation === "links" && own !== "knowledge");
}

/** A preset as changes of single fields, so that what a spec says beside them stays. */
function proposalOf({ options }: AskedTask): (preset: JobPreset) => Proposed {
  return ({ title, spec }) => {
    const { features = {}, train = {}, sampling, model, task = {} } = spec;
    const how = Object.entries(task).filter(([name]) => name !== "type" && !isQuestion(name));
    const fields = [
      ...how.map(([name, value]) => [`task.${name}`, value] as const),
      ...Object.entries(features).map(([name, value]) => [`features.${name}`, value] as const),
      ...Object.entries(train).map(([name, value]) => [`train.${name}`, value] as const),
      ...Object.entries({ sampling, model }).filter(([, value]) => value !== undefined),
    ];
    return { title, changes: { ...Object.fromEntries(fields), ...ofSeveralLabels(options) } };
  };
}

function isQuestion(option: string): boolean {
  return (questionsOfLinks as readonly string[]).includes(option);
}

/** Labels that few nodes have are seldom likelier than not: half is a threshold that predicts next to nothing. */
function ofSeveralLabels({ threshold }: AskedTask["options"]): Changes {
  return threshold === undefined ? {} : { "task.threshold": 0.25 };
}

/** What a job does of which nothing more is said; a graph without features gets columns from its edges. */
function theDefaults({ features: { dim } }: GraphFigures, { seeds, learnsBy = "views" }: AskedTask): Proposed {
  const needsColumns = dim === 0 && learnsBy === "views";
  const structural = seeds === "graphs" ? { method: "degree" } : {};
  return { title: "the defaults", changes: needsColumns ? { "features.structural": structural } : {} };
}

function inTurn(one: readonly Proposed[], other: readonly Proposed[]): Proposed[] {
  const length = Math.max(one.length, other.length);
  return Array.from({ length }, (_, i) => [one[i], other[i]]).flatMap((pair) => pair.flatMap((each) => each ?? []));
}

/**
 * Without the fields that the spec names itself; a model that it names without options takes the candidate's. Rows that
 * are learned alone are as wide as the spec has them.
 */
function fitted(changes: Changes, spec: Changes): Changes {
  const kept = Object.entries(changes).filter(([path]) =>
    path === "model" ? !hasOptions(spec["model"]) : valueAt(spec, path.split(".")) === undefined,
  );
  const width = valueAt(spec, ["task", "dim"]);
  const areAlone = ["shallow", "lightGcn"].includes(String(valueAt({ changes }, ["changes", "model", "type"])));
  return Object.fromEntries(
    kept.map(([path, value]) =>
      path === "features.embedding" && areAlone && typeof width === "number"
        ? [path, { ...(value as object), dim: width }]
        : [path, value],
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
