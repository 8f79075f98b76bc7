import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { Shell } from "./components/Shell/Shell.tsx";
import { CrashPage, NotFoundPage } from "./pages/NotFoundPage.tsx";
import { readJobSearch } from "./services/job-search.ts";
import { readNewJobSearch } from "./services/new-job-search.ts";
import { returnPath } from "./services/return-path.ts";

const root = createRootRoute({ notFoundComponent: NotFoundPage, errorComponent: CrashPage });
const signIn = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  component: lazyRouteComponent(() => import("./pages/SignInPage.tsx"), "SignInPage"),
  validateSearch: ({ token, next }: Record<string, unknown>): { token?: string; next?: string } => {
    const path = returnPath(next, location.origin);
    return { ...(typeof token === "string" && { token }), ...(path !== undefined && { next: path }) };
  },
});
const shell = createRoute({
  getParentRoute: () => root,
  id: "shell",
  component: Shell,
  notFoundComponent: NotFoundPage,
});
const index = createRoute({
  getParentRoute: () => shell,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: "/datasets", replace: true });
  },
});
const datasets = createRoute({
  getParentRoute: () => shell,
  path: "/datasets",
  component: lazyRouteComponent(() => import("./pages/DatasetsPage.tsx"), "DatasetsPage"),
});
const newDataset = createRoute({
  getParentRoute: () => shell,
  path: "/datasets/new",
  component: lazyRouteComponent(() => import("./pages/NewDatasetPage.tsx"), "NewDatasetPage"),
  validateSearch: (search: Record<string, unknown>): { sample?: true } =>
    search["sample"] === true || search["sample"] === "true" ? { sample: true } : {},
});
const dataset = createRoute({
  getParentRoute: () => shell,
  path: "/datasets/$datasetId",
  component: lazyRouteComponent(() => import("./pages/DatasetPage.tsx"), "DatasetPage"),
  validateSearch: (search: Record<string, unknown>): { version?: number } =>
    Number.isSafeInteger(Number(search["version"])) ? { version: Number(search["version"]) } : {},
});
const mapping = createRoute({
  getParentRoute: () => shell,
  path: "/datasets/$datasetId/mapping",
  component: lazyRouteComponent(() => import("./pages/MappingPage.tsx"), "MappingPage"),
});
const jobs = createRoute({
  getParentRoute: () => shell,
  path: "/jobs",
  component: lazyRouteComponent(() => import("./pages/JobsPage.tsx"), "JobsPage"),
  validateSearch: readJobSearch,
});
const newJob = createRoute({
  getParentRoute: () => shell,
  path: "/jobs/new",
  component: lazyRouteComponent(() => import("./pages/NewJobPage.tsx"), "NewJobPage"),
  validateSearch: readNewJobSearch,
});
const job = createRoute({
  getParentRoute: () => shell,
  path: "/jobs/$jobId",
  component: lazyRouteComponent(() => import("./pages/JobPage.tsx"), "JobPage"),
  validateSearch: ({ tab, line }: Record<string, unknown>): { tab?: string; line?: number } => ({
    ...(typeof tab === "string" && { tab }),
    ...(Number(line) > 0 && { line: Number(line) }),
  }),
});
const compare = createRoute({
  getParentRoute: () => shell,
  path: "/compare",
  component: lazyRouteComponent(() => import("./pages/ComparePage.tsx"), "ComparePage"),
  // The page reads what it understands: here nothing is left out, so that a link keeps what it was sent with.
  validateSearch: (search: Record<string, unknown>) => search,
});
const embeddings = createRoute({
  getParentRoute: () => shell,
  path: "/jobs/$jobId/embeddings",
  component: lazyRouteComponent(() => import("./pages/EmbeddingsPage.tsx"), "EmbeddingsPage"),
  validateSearch: (search: Record<string, unknown>): { with?: string } =>
    typeof search["with"] === "string" ? { with: search["with"] } : {},
});
const models = createRoute({
  getParentRoute: () => shell,
  path: "/models",
  component: lazyRouteComponent(() => import("./pages/ModelsPage.tsx"), "ModelsPage"),
});
const modelVersion = createRoute({
  getParentRoute: () => shell,
  path: "/models/$versionId",
  component: lazyRouteComponent(() => import("./pages/ModelVersionPage.tsx"), "ModelVersionPage"),
});
const sweeps = createRoute({
  getParentRoute: () => shell,
  path: "/sweeps",
  component: lazyRouteComponent(() => import("./pages/SweepsPage.tsx"), "SweepsPage"),
});
const sweep = createRoute({
  getParentRoute: () => shell,
  path: "/sweeps/$sweepId",
  component: lazyRouteComponent(() => import("./pages/SweepPage.tsx"), "SweepPage"),
});
const workers = createRoute({
  getParentRoute: () => shell,
  path: "/workers",
  component: lazyRouteComponent(() => import("./pages/WorkersPage.tsx"), "WorkersPage"),
});
const worker = createRoute({
  getParentRoute: () => shell,
  path: "/workers/$workerId",
  component: lazyRouteComponent(() => import("./pages/WorkerPage.tsx"), "WorkerPage"),
});
const projects = createRoute({
  getParentRoute: () => shell,
  path: "/projects",
  component: lazyRouteComponent(() => import("./pages/ProjectsPage.tsx"), "ProjectsPage"),
});
const notifications = createRoute({
  getParentRoute: () => shell,
  path: "/notifications",
  component: lazyRouteComponent(() => import("./pages/NotificationsPage.tsx"), "NotificationsPage"),
});
const apiKeys = createRoute({
  getParentRoute: () => shell,
  path: "/api-keys",
  component: lazyRouteComponent(() => import("./pages/ApiKeysPage.tsx"), "ApiKeysPage"),
});

const unknown = createRoute({ getParentRoute: () => shell, path: "$", component: NotFoundPage });

export const router = createRouter({
  routeTree: root.addChildren([
    signIn,
    shell.addChildren([
      index,
      datasets,
      newDataset,
      dataset,
      mapping,
      jobs,
      newJob,
      job,
      compare,
      embeddings,
      models,
      modelVersion,
      sweeps,
      sweep,
      workers,
      worker,
      projects,
      notifications,
      apiKeys,
      unknown,
    ]),
  ]),
  defaultNotFoundComponent: NotFoundPage,
  // A page's code is fetched when its link is pointed at or focused.
  defaultPreload: "intent",
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
