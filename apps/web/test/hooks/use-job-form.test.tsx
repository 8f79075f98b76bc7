// @vitest-environment happy-dom
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from "@tanstack/react-router";
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { cacheExchange, createClient, fetchExchange, Provider } from "urql";
import { afterEach, expect, test, vi } from "vitest";
import { type Choice, useJobSettings, useJobSubmission } from "../../src/hooks/use-job-form.ts";
import type { SparseSpec } from "../../src/services/job-form.ts";
import type { Preset } from "../../src/services/presets.ts";
import { noSweep, readSweep } from "../../src/services/sweep-draft.ts";

afterEach(cleanup);

const preset = (name: string, spec: SparseSpec): Preset => ({ name, situation: "", title: name, summary: "", spec });
const recommend = preset("recommend", { model: { type: "lightgcn" }, task: { type: "recommendation" } });
const classify = preset("classify", { model: { type: "sage" } });
const choice = (id: string, type: string, task: SparseSpec): Choice & { label: string } => ({
  id,
  number: 1,
  spec: null,
  isBeingMapped: false,
  label: id,
  tasks: [{ type, title: type, task } as unknown as Choice["tasks"][number]],
});
const shop = choice("ds_shop", "recommendation", { type: "recommendation" });
const papers = choice("ds_papers", "nodeClassification", { target: "subject" });
const proposalOf = ({ name, spec }: Preset, dataset: string) => ({
  id: dataset,
  newestReady: {
    id: `${dataset}@1`,
    proposedPreset: { reason: "", preset: { name, situation: "", title: name, summary: "", spec }, others: [] },
  },
});

/** The form's settings with a button that chooses the other dataset; its preset comes when it is let come. */
function show() {
  const asked: SparseSpec[] = [];
  let letCome = () => {};
  const gate = new Promise<void>((resolve) => {
    letCome = resolve;
  });
  const answer: typeof fetch = async (_url, init) => {
    const { query, variables } = JSON.parse(init?.body as string);
    if (query.includes("estimateJob")) {
      asked.push(variables.spec);
      return Response.json({ data: { estimateJob: null } });
    }
    if (variables.dataset === papers.id) await gate;
    const dataset = proposalOf(variables.dataset === papers.id ? classify : recommend, variables.dataset);
    return Response.json({ data: { dataset } });
  };
  const exchanges = [cacheExchange, fetchExchange];
  const client = createClient({ url: "http://localhost/graphql", preferGetMethod: false, exchanges, fetch: answer });
  const proposed = { dataset: shop.id, reason: "", preset: recommend, others: [] };
  const catalog = { components: [], jobSpecSchema: {} };
  function Form() {
    const settings = useJobSettings({ choices: [shop, papers], first: shop, proposed, catalog });
    const { canSend } = useJobSubmission(settings, catalog, readSweep(noSweep), settings.spec);
    return (
      <button type="button" disabled={!canSend} onClick={() => settings.chooseDataset(`${papers.id}@1`)}>
        other dataset
      </button>
    );
  }
  const routeTree = createRootRoute({ component: Form });
  const router = createRouter({ routeTree, history: createMemoryHistory() });
  render(
    <Provider value={client}>
      <RouterProvider router={router as never} />
    </Provider>,
  );
  return { asked, letCome };
}

test("another question brings its own preset where nothing was changed by hand, and is kept as it was asked", async () => {
  const questions: unknown[] = [];
  const links = preset("links", {
    model: { type: "sage" },
    task: { type: "linkPrediction", decoder: { type: "mlp" }, split: { type: "random" } },
  });
  const answer: typeof fetch = async (_url, init) => {
    const { query, variables } = JSON.parse(init?.body as string);
    if (query.includes("estimateJob")) return Response.json({ data: { estimateJob: null } });
    questions.push(variables.task);
    const asksLinks = variables.task?.type === "linkPrediction";
    return Response.json({ data: { dataset: proposalOf(asksLinks ? links : classify, variables.dataset) } });
  };
  const exchanges = [cacheExchange, fetchExchange];
  const client = createClient({ url: "http://localhost/graphql", preferGetMethod: false, exchanges, fetch: answer });
  const tasks = [
    ...papers.tasks,
    { type: "linkPrediction", label: "Links", task: { type: "linkPrediction" } } as unknown as Choice["tasks"][number],
  ];
  const both = { ...papers, tasks };
  const proposed = { dataset: papers.id, reason: "", preset: classify, others: [] };
  const seen: { current: ReturnType<typeof useJobSettings> | null } = { current: null };
  function Form() {
    seen.current = useJobSettings({
      choices: [both],
      first: both,
      proposed,
      catalog: { components: [], jobSpecSchema: {} },
    });
    return null;
  }
  render(
    <Provider value={client}>
      <Form />
    </Provider>,
  );
  const settings = () => seen.current!;
  // The dataset's own proposal is known before another question is chosen.
  await vi.waitFor(() => expect(questions).toEqual([{ target: "subject" }]));
  await act(async () => {});
  const asked = { type: "linkPrediction", split: { type: "time" } };
  await act(async () => settings().set("task", asked));
  await vi.waitFor(() => expect(settings().started.name).toBe("links"));
  expect(questions.at(-1)).toEqual(asked);
  expect(settings().spec).toMatchObject({ model: { type: "sage" }, task: { ...asked, decoder: { type: "mlp" } } });
  expect(settings().isSettled).toBe(true);
  // What was changed by hand is not replaced by itself.
  await act(async () => settings().set("model", { type: "gat" }));
  await act(async () => settings().set("task", { target: "subject" }));
  await vi.waitFor(() => expect(settings().proposal?.preset.name).toBe("classify"));
  expect([settings().started.name, settings().spec["model"]]).toEqual(["links", { type: "gat" }]);
});

test("no estimate is asked of another dataset's task under the preset of the one before", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const rest = () => act(() => vi.advanceTimersByTimeAsync(1000));
    const { asked, letCome } = show();
    await rest();
    const button = screen.getByRole<HTMLButtonElement>("button");
    fireEvent.click(button);
    await rest();
    expect(button.disabled, "before the settings are whole").toBe(true);
    letCome();
    // The preset comes, and then the form rests.
    for (const _ of [1, 2]) await rest();
    expect(asked.map(({ dataset, model, task }) => ({ dataset, model, task }))).toEqual([
      { dataset: "ds_shop@1", model: { type: "lightgcn" }, task: { type: "recommendation" } },
      { dataset: "ds_papers@1", model: { type: "sage" }, task: { target: "subject" } },
    ]);
    expect(button.disabled).toBe(false);
  } finally {
    vi.useRealTimers();
  }
});
