// @vitest-environment happy-dom
import { MantineProvider } from "@mantine/core";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { ScheduleForm } from "../../src/components/Imports/ScheduleForm.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

/** The form of an import, a service that answers so, and what it was asked */
function show(answer: () => Response) {
  const asked: unknown[] = [];
  vi.stubGlobal("fetch", async (url: string, init?: RequestInit) => {
    asked.push([new URL(url, "http://localhost").pathname, JSON.parse(init?.body as string)]);
    return answer();
  });
  const onDone = vi.fn<() => void>();
  render(
    <MantineProvider>
      <ScheduleForm importId="imp_1" onDone={onDone} />
    </MantineProvider>,
  );
  return { asked, onDone };
}

const press = () => fireEvent.click(screen.getByRole("button", { name: "Schedule" }));

test("a schedule does as its import did, unless the rows of its runs are to be added", async () => {
  const { asked, onDone } = show(() => Response.json({ id: "isch_1" }, { status: 201 }));
  press();
  await vi.waitFor(() => expect(onDone).toHaveBeenCalledTimes(1));
  fireEvent.click(screen.getByLabelText("Add the rows of each run to the graph"));
  press();
  await vi.waitFor(() => expect(asked).toHaveLength(2));
  const path = "/v1/imports/imp_1/schedules";
  expect(asked).toEqual([
    [path, { every: "daily" }],
    [path, { every: "daily", adds: true }],
  ]);
});

test("a schedule that is refused says why, and may be asked for again", async () => {
  const problem = {
    code: "REQUEST_CONFLICT",
    title: "Conflict",
    detail: "There are 20 schedules already.",
    status: 409,
  };
  const type = "application/problem+json";
  const { onDone } = show(() => Response.json(problem, { status: 409, headers: { "content-type": type } }));
  press();
  await screen.findByText(/There are 20 schedules already/);
  expect(onDone).not.toHaveBeenCalled();
  expect(screen.getByRole("button", { name: "Schedule" })).toHaveProperty("disabled", false);
});
