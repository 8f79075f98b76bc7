/** The views of a job; each has its own address. */
export const jobTabs = [
  { name: "overview", title: "Overview" },
  { name: "metrics", title: "Metrics" },
  { name: "ranks", title: "Ranks" },
  { name: "partition", title: "Partition" },
  { name: "log", title: "Log" },
  { name: "checkpoints", title: "Checkpoints" },
  { name: "spec", title: "Spec" },
] as const;
export type JobTab = (typeof jobTabs)[number]["name"];

/** The view that a job's address names; the first one when it names none that there is. */
export function jobTabOf(name: string | undefined): JobTab {
  return jobTabs.find((tab) => tab.name === name)?.name ?? "overview";
}
