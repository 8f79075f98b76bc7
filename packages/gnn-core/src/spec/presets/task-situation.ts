import type { TaskComponent } from "../../components/define-task.ts";
import type { ResolvedTask } from "../resolve-task.ts";
import type { SituationName } from "./situations.ts";

/** What is to be learnt of a graph. */
export interface AskedTask {
  readonly type: string;
  readonly seeds: TaskComponent["seeds"];
  /** What a task of all nodes learns by; rows that walks teach, or nothing, need no features. */
  readonly learnsBy?: "views" | "walks" | "nothing" | undefined;
  /** Every option of it, with its default where nothing was said */
  readonly options: Readonly<Record<string, unknown>>;
}

/** What a `task` section asks. */
export function askedTask({ component, options }: Pick<ResolvedTask, "component" | "options">): AskedTask {
  const learnsBy = component.seeds === "allNodes" ? component.learnsBy : undefined;
  return { type: component.name, seeds: component.seeds, learnsBy, options };
}

/** The situation that a task makes, whatever the graph; null: it is the graph's. */
export function situationOfTask({ type, seeds, options }: AskedTask): SituationName | null {
  switch (seeds) {
    case "graphs":
      return "whole-graphs";
    case "edgeRows":
      return "labelled-edges";
    case "allNodes":
      return type === "fastRp" ? "large-no-labels" : "no-labels";
    case "edges":
      return situationOfLinks(options);
    default:
      return null;
  }
}

function situationOfLinks({ relations, rankAmong, split }: AskedTask["options"]): SituationName {
  if (relations === "each") return "knowledge";
  if (rankAmong === "unseenNodes") return "recommendation";
  return (split as { readonly type?: string } | undefined)?.type === "time" ? "links-by-time" : "links";
}

/** What says which question a task on links asks, and by what it is judged: never what a preset may change. */
export const questionsOfLinks = [
  "split",
  "relations",
  "disjoint",
  "evaluationNegatives",
  "keptNegatives",
  "splitSeed",
  "rankAmong",
  "recommendTo",
  "newNeighbors",
] as const;
