// @vitest-environment happy-dom
import { MantineProvider } from "@mantine/core";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { createClient, fetchExchange, Provider } from "urql";
import { afterEach, expect, test } from "vitest";
import { NotePanel } from "../../src/components/NotePanel/NotePanel.tsx";

afterEach(cleanup);

/** The panel for somebody of this role; `kept` has what was sent to be kept. */
function show(role: string, note: string) {
  const kept: string[] = [];
  const answer: typeof fetch = async (_url, init) => {
    const { query, variables } = JSON.parse(init?.body as string) as { query: string; variables: { note: string } };
    if (query.includes("query Viewer"))
      return Response.json({ data: { me: { role, user: { id: "u", name: "Ada" }, project: null } } });
    kept.push(variables.note);
    return Response.json({ data: { markJob: { id: "job_1", note: variables.note } } });
  };
  const client = createClient({
    url: "http://localhost/graphql",
    preferGetMethod: false,
    exchanges: [fetchExchange],
    fetch: answer,
  });
  let numNoted = 0;
  const panel = (told: string) => (
    <MantineProvider>
      <Provider value={client}>
        <NotePanel jobId="job_1" note={told} onNoted={() => numNoted++} />
      </Provider>
    </MantineProvider>
  );
  const { rerender, container } = render(panel(note));
  return { kept, numNoted: () => numNoted, tell: (told: string) => rerender(panel(told)), container };
}

const field = () => screen.findByRole<HTMLTextAreaElement>("textbox", { name: "Note" });
const type = async (value: string) => fireEvent.change(await field(), { target: { value } });

test("a note is kept when asked to, and shows at once; what others write shows while nobody types", async () => {
  const { kept, numNoted, tell } = show("EDITOR", "first");
  expect((await field()).value).toBe("first");
  expect(screen.queryByText("Save the note")).toBeNull();
  await type("second");
  fireEvent.click(screen.getByRole("button", { name: "Save the note" }));
  await waitFor(() => expect(numNoted()).toBe(1), { timeout: 10_000 });
  expect(kept).toEqual(["second"]);
  expect((await field()).value).toBe("second");
  tell("second");
  tell("of another");
  expect((await field()).value).toBe("of another");
});

test("what is typed outlives what others write, and goes when it is discarded", async () => {
  const { kept, tell } = show("EDITOR", "first");
  await type("mine");
  tell("of another");
  expect((await field()).value).toBe("mine");
  fireEvent.click(screen.getByText("Discard"));
  expect((await field()).value).toBe("of another");
  expect(kept).toEqual([]);
});

test("one that is too long is not sent, and says by how much", async () => {
  show("ADMIN", "");
  await type("x".repeat(10_001));
  await screen.findByText("Found 10,001 characters, expected 10,000 at most.");
  expect(screen.getByText("Save the note").closest("button")?.disabled).toBe(true);
});

test("those who may only look read it, line by line, and see nothing of none", async () => {
  const { tell } = show("VIEWER", "one\n<b>two</b>");
  expect((await screen.findByText(/<b>two<\/b>/)).style.whiteSpace).toBe("pre-wrap");
  expect(screen.queryByRole("textbox")).toBeNull();
  tell("");
  expect(screen.queryByText("For everybody who sees the job.")).toBeNull();
});
