import { lazyRouteComponent } from "@tanstack/react-router";
import type { JobTab } from "../../services/job-tabs.ts";

// The router's way to load a component later: a page that was open while the service was upgraded, so that its files
// are gone, loads itself anew in place of failing.
export const OverviewTab = lazyRouteComponent(() => import("./OverviewTab.tsx"), "OverviewTab");
export const MetricsTab = lazyRouteComponent(() => import("./MetricsTab.tsx"), "MetricsTab");
export const RanksTab = lazyRouteComponent(() => import("./RanksTab.tsx"), "RanksTab");
export const PartitionTab = lazyRouteComponent(() => import("./PartitionTab.tsx"), "PartitionTab");
export const LogTab = lazyRouteComponent(() => import("./LogTab.tsx"), "LogTab");
export const CheckpointsTab = lazyRouteComponent(() => import("./CheckpointsTab.tsx"), "CheckpointsTab");
export const SpecTab = lazyRouteComponent(() => import("./SpecTab.tsx"), "SpecTab");
export const JobActions = lazyRouteComponent(() => import("../JobActions/JobActions.tsx"), "JobActions");

/** Each view is a file of its own, with the charts and tables that it needs. */
const views = {
  overview: OverviewTab,
  metrics: MetricsTab,
  ranks: RanksTab,
  partition: PartitionTab,
  log: LogTab,
  checkpoints: CheckpointsTab,
  spec: SpecTab,
} satisfies Record<JobTab, unknown>;

/**
 * Fetches what stands below the head of a job's page while the job itself is still being asked for. The head is drawn
 * without it: that is what one looks for first.
 */
export function fetchView(tab: JobTab): void {
  for (const { preload } of [views[tab], JobActions]) void preload?.();
}
