import { createRootRoute, createRoute, createRouter, redirect } from "@tanstack/react-router";
import { Shell } from "./components/Shell/Shell.tsx";
import { ApiKeysPage } from "./pages/ApiKeysPage.tsx";
import { DatasetPage } from "./pages/DatasetPage.tsx";
import { DatasetsPage } from "./pages/DatasetsPage.tsx";
import { EmbeddingsPage } from "./pages/EmbeddingsPage.tsx";
import { JobPage } from "./pages/JobPage.tsx";
import { JobsPage } from "./pages/JobsPage.tsx";
import { MappingPage } from "./pages/MappingPage.tsx";
import { NewDatasetPage } from "./pages/NewDatasetPage.tsx";
import { NewJobPage } from "./pages/NewJobPage.tsx";
import { CrashPage, NotFoundPage } from "./pages/NotFoundPage.tsx";
import { SignInPage } from "./pages/SignInPage.tsx";
import { WorkersPage } from "./pages/WorkersPage.tsx";

const root = createRootRoute({ notFoundComponent: NotFoundPage, errorComponent: CrashPage });
const signIn = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  component: SignInPage,
  validateSearch: (search: Record<string, unknown>): { token?: string } =>
    typeof search["token"] === "string" ? { token: search["token"] } : {},
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
const datasets = createRoute({ getParentRoute: () => shell, path: "/datasets", component: DatasetsPage });
const newDataset = createRoute({ getParentRoute: () => shell, path: "/datasets/new", component: NewDatasetPage });
const dataset = createRoute({ getParentRoute: () => shell, path: "/datasets/$datasetId", component: DatasetPage });
const mapping = createRoute({
  getParentRoute: () => shell,
  path: "/datasets/$datasetId/mapping",
  component: MappingPage,
});
const jobs = createRoute({ getParentRoute: () => shell, path: "/jobs", component: JobsPage });
const newJob = createRoute({
  getParentRoute: () => shell,
  path: "/jobs/new",
  component: NewJobPage,
  validateSearch: (search: Record<string, unknown>): { dataset?: string } =>
    typeof search["dataset"] === "string" ? { dataset: search["dataset"] } : {},
});
const job = createRoute({ getParentRoute: () => shell, path: "/jobs/$jobId", component: JobPage });
const embeddings = createRoute({
  getParentRoute: () => shell,
  path: "/jobs/$jobId/embeddings",
  component: EmbeddingsPage,
});
const workers = createRoute({ getParentRoute: () => shell, path: "/workers", component: WorkersPage });
const apiKeys = createRoute({ getParentRoute: () => shell, path: "/api-keys", component: ApiKeysPage });

export const router = createRouter({
  routeTree: root.addChildren([
    signIn,
    shell.addChildren([index, datasets, newDataset, dataset, mapping, jobs, newJob, job, embeddings, workers, apiKeys]),
  ]),
  defaultNotFoundComponent: NotFoundPage,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
