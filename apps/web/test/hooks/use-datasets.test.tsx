// @vitest-environment happy-dom
import { act, cleanup, render, screen } from "@testing-library/react";
import { createClient, fetchExchange, Provider } from "urql";
import { afterEach, test, vi } from "vitest";
import { useDatasets } from "../../src/hooks/use-datasets.ts";

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

/** Answers as the API does for a list of these names, which may grow meanwhile. */
function answering(names: readonly string[]): typeof fetch {
  return async () => {
    const latest = { number: 1, state: "READY", graph: null };
    const edges = names.map((name) => ({ node: { id: name, name, createdAt: "2026-11-01T00:00:00Z", latest } }));
    const datasets = { edges, pageInfo: { hasNextPage: false, endCursor: null } };
    return Response.json({ data: { datasets } });
  };
}

function Names() {
  return (
    <p>
      {useDatasets()
        .data?.nodes.map(({ name }) => name)
        .join(" ")}
    </p>
  );
}

test("a list in which nothing moves still learns of a dataset that was made elsewhere", async () => {
  vi.useFakeTimers();
  const names = ["first"];
  const client = createClient({ url: "http://localhost/graphql", exchanges: [fetchExchange], fetch: answering(names) });
  render(
    <Provider value={client}>
      <Names />
    </Provider>,
  );
  await act(() => vi.advanceTimersByTimeAsync(100));
  screen.getByText("first");
  names.push("second");
  await act(() => vi.advanceTimersByTimeAsync(10_100));
  screen.getByText("first second");
});
