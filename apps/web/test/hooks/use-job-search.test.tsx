// @vitest-environment happy-dom
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from "@tanstack/react-router";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { useJobSearch } from "../../src/hooks/use-job-search.ts";
import { readJobSearch } from "../../src/services/job-search.ts";

afterEach(cleanup);

function SearchField() {
  const { typed, onType } = useJobSearch();
  return <input aria-label="search" value={typed} onChange={(event) => onType(event.currentTarget.value)} />;
}

/** The page of jobs, and one whose data come when `arrive` is called. */
function openJobs() {
  let arrive = () => {};
  const data = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const root = createRootRoute({ component: Outlet });
  const shell = createRoute({ getParentRoute: () => root, id: "shell", component: Outlet });
  const jobs = createRoute({
    getParentRoute: () => shell,
    path: "/jobs",
    validateSearch: readJobSearch,
    component: SearchField,
  });
  const slow = createRoute({
    getParentRoute: () => shell,
    path: "/datasets",
    loader: () => data,
    component: () => <h1>Datasets</h1>,
  });
  const history = createMemoryHistory({ initialEntries: ["/jobs"] });
  const router = createRouter({ routeTree: root.addChildren([shell.addChildren([jobs, slow])]), history });
  render(<RouterProvider router={router as never} />);
  return { router, arrive };
}

test("what is typed into the search comes into the address when the typing rests", async () => {
  const { router } = openJobs();
  fireEvent.change(await screen.findByLabelText("search"), { target: { value: "cora" } });
  await waitFor(() => expect(router.state.location.search).toMatchObject({ search: "cora" }));
});

test("who leaves while the typing has not rested comes to the next page, however long that takes to load", async () => {
  const { router, arrive } = openJobs();
  fireEvent.change(await screen.findByLabelText("search"), { target: { value: "cora" } });
  void router.navigate({ to: "/datasets" });
  // Longer than the typing has to rest.
  await new Promise((resolve) => setTimeout(resolve, 400));
  arrive();
  expect((await screen.findByRole("heading")).textContent).toBe("Datasets");
  expect(router.state.location.pathname).toBe("/datasets");
});
