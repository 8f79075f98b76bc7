import type { jobsQuery } from "./documents.ts";
import type { VariablesOf } from "./graphql.ts";

type JobFilter = NonNullable<VariablesOf<typeof jobsQuery>["filter"]>;
type States = NonNullable<JobFilter["states"]>;

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
}

/** What of an address is understood; the router reads a text of digits as a number. */
export function readJobSearch({ kinds, state, search }: Record<string, unknown>): JobSearch {
  const chosen = choices.find(({ name }) => name === state);
  const text = typeof search === "string" || typeof search === "number" ? String(search) : "";
  return {
    ...(kinds === "all" && { kinds }),
    ...(chosen && chosen.name !== "any" && { state: chosen.name }),
    ...(text !== "" && { search: text }),
  };
}

/** What the API is asked. Unless all are wanted, only training jobs: the others the service made itself. */
export function filterOf({ kinds, state, search }: JobSearch): JobFilter {
  const states: States = [...(choices.find(({ name }) => name === state)?.states ?? [])];
  const text = search?.trim() ?? "";
  return {
    ...(kinds !== "all" && { kinds: ["train"] }),
    ...(states.length > 0 && { states }),
    ...(text !== "" && { search: text }),
  };
}
