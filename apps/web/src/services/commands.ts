/** What the palette offers: somewhere to go, or something to do. */
export interface Command {
  readonly id: string;
  readonly group: "Jobs" | "Datasets" | "Pages" | "Actions" | "Help";
  readonly label: string;
  /** A page of the dashboard */
  readonly to?: string;
  /** Something of the service that is no page of the dashboard */
  readonly href?: string;
  readonly run?: () => void;
}

export const pageCommands: readonly Command[] = [
  { id: "page-datasets", group: "Pages", label: "Datasets", to: "/datasets" },
  { id: "page-jobs", group: "Pages", label: "Jobs", to: "/jobs" },
  { id: "page-compare", group: "Pages", label: "Compare jobs", to: "/compare" },
  { id: "page-sweeps", group: "Pages", label: "Sweeps", to: "/sweeps" },
  { id: "page-models", group: "Pages", label: "Models", to: "/models" },
  { id: "page-workers", group: "Pages", label: "Workers and queue", to: "/workers" },
  { id: "page-projects", group: "Pages", label: "Projects, limits and costs", to: "/projects" },
  { id: "page-notifications", group: "Pages", label: "Notifications", to: "/notifications" },
  { id: "page-api-keys", group: "Pages", label: "API keys", to: "/api-keys" },
  { id: "new-job", group: "Actions", label: "New job", to: "/jobs/new" },
  { id: "new-dataset", group: "Actions", label: "New dataset", to: "/datasets/new" },
  { id: "guides", group: "Help", label: "Guides", href: "/help/getting-started.html" },
  { id: "errors", group: "Help", label: "Error codes", href: "/help/errors.html" },
  { id: "changelog", group: "Help", label: "Changelog", href: "/help/changelog.html" },
  { id: "api", group: "Help", label: "REST API", href: "/docs" },
  { id: "graphql", group: "Help", label: "GraphQL explorer", href: "/graphql-page" },
];

/**
 * Those whose labels have every word of the text, in any case; a label that begins with the text comes before the
 * others of its group. Nothing typed: all.
 */
export function matching(commands: readonly Command[], text: string): Command[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = commands.filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)));
  const start = text.trim().toLowerCase();
  const rank = ({ label }: Command) => (label.toLowerCase().startsWith(start) ? 0 : 1);
  const groups = [...new Set(found.map(({ group }) => group))];
  return groups.flatMap((group) => found.filter((one) => one.group === group).toSorted((a, b) => rank(a) - rank(b)));
}

/**
 * The jobs that the service has found, as far as they fit what is typed by now: its answer is to an earlier text, and
 * Enter must not lead to a job that nobody meant.
 */
export function jobCommands(jobs: readonly { readonly id: string; readonly name: string }[], text: string): Command[] {
  const wanted = text.trim().toLowerCase();
  return jobs
    .filter(({ id, name }) => name.toLowerCase().includes(wanted) || id.includes(wanted))
    .map(({ id, name }) => ({ id, group: "Jobs", label: name || id, to: `/jobs/${id}` }));
}
