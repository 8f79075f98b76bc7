import type { jobsQuery } from "./documents/jobs.ts";
import type { VariablesOf } from "./graphql.ts";

type JobFilter = NonNullable<VariablesOf<typeof jobsQuery>["filter"]>;
type States = NonNullable<JobFilter["states"]>;
export type JobSort = NonNullable<VariablesOf<typeof jobsQuery>["sort"]>;

/** What a state is called in the address, what in the list of choices, and what it stands for. */
const choices = [
  { name: "any", label: "Any state", states: [] },
  { name: "active", label: "Waiting or running", states: ["QUEUED", "RUNNING", "CANCELLING"] },
  { name: "succeeded", label: "Succeeded", states: ["SUCCEEDED"] },
  { name: "failed", label: "Failed", states: ["FAILED"] },
  { name: "cancelled", label: "Cancelled", states: ["CANCELLED"] },
] as const satisfies readonly { name: string; label: string; states: States }[];

export const stateChoices = choices.map(({ name, label }) => ({ value: name, label }));

/** Which jobs the list shows, as it stands in the page's address; what is left out narrows nothing. */
export interface JobSearch {
  readonly kinds?: "all";
  readonly state?: string;
  readonly search?: string;
  readonly starred?: true;
  /** Id of a worker that ran some attempt of them */
  readonly worker?: string;
  /** What the list is sorted by, with a minus for the other way round; left out: the newest first */
  readonly sort?: string;
}

/** What of an address is understood; the router reads a text of digits as a number. */
export function readJobSearch({ kinds, state, search, starred, worker, sort }: Record<string, unknown>): JobSearch {
  const chosen = choices.find(({ name }) => name === state);
  const text = typeof search === "string" || typeof search === "number" ? String(search) : "";
  return {
    ...(kinds === "all" && { kinds }),
    ...(chosen && chosen.name !== "any" && { state: chosen.name }),
    ...(text !== "" && { search: text }),
    ...(typeof worker === "string" && worker !== "" && { worker }),
    ...((starred === true || starred === "true") && { starred: true as const }),
    ...(typeof sort === "string" && sort !== newestFirst && sortOf(sort) && { sort }),
  };
}

const newestFirst = "-submitted";
const sortKeys = ["SUBMITTED", "NAME", "OWNER", "DATASET", "MODEL", "RANKS", "RESULT"] as const;

/** How the API sorts for what the address says; null: it says nothing that is known. */
export function sortOf(text = newestFirst): JobSort | null {
  const descending = text.startsWith("-");
  const by = sortKeys.find((key) => key.toLowerCase() === (descending ? text.slice(1) : text));
  return by === undefined ? null : { by, descending };
}

/** What a press on a column's head makes of how the list is sorted: first as it reads best, then the other way. */
export function nextSort(shown: string | undefined, key: JobSort["by"]): string {
  const name = key.toLowerCase();
  const largestFirst = key === "RESULT" || key === "SUBMITTED" || key === "RANKS";
  const [first, second] = largestFirst ? [`-${name}`, name] : [name, `-${name}`];
  return (shown ?? newestFirst) === first ? second : first;
}

/** What the API is asked. Unless all are wanted, only jobs that train or apply a model: the service made the others. */
export function filterOf({ kinds, state, search, starred, worker }: JobSearch): JobFilter {
  const states: States = [...(choices.find(({ name }) => name === state)?.states ?? [])];
  const text = search?.trim() ?? "";
  return {
    ...(kinds !== "all" && { kinds: ["train", "infer"] }),
    ...(states.length > 0 && { states }),
    ...(text !== "" && { search: text }),
    ...(starred && { starred }),
    ...(worker !== undefined && { worker }),
  };
}
