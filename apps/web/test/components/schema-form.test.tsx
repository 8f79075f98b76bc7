// @vitest-environment happy-dom
import { MantineProvider } from "@mantine/core";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, expect, test } from "vitest";
import { z } from "zod";
import { SchemaForm } from "../../src/components/SchemaForm/SchemaForm.tsx";
import type { JsonSchema } from "../../src/services/json-schema.ts";

const options = z.strictObject({
  hiddenFeats: z.number().int().min(1).max(8192).default(64).describe("Width of the hidden layers"),
  lr: z.number().positive().default(0.01),
  activation: z.enum(["relu", "tanh"]).default("relu"),
  fanouts: z.array(z.number().int()).default([15, 10]),
  replace: z.boolean().default(false),
  numParts: z.union([z.literal("auto"), z.number().int()]).default("auto"),
  earlyStopping: z
    .strictObject({ patience: z.number().int().default(10) })
    .nullable()
    .default(null),
});
const schema = z.toJSONSchema(options, { io: "input" }) as JsonSchema;

afterEach(cleanup);

/** Renders the form as a page would; `spec()` is what would be sent. */
function renderForm(errors: ReadonlyMap<string, string> = new Map()) {
  let latest: Record<string, unknown> | undefined;
  function Page() {
    const [value, setValue] = useState<Record<string, unknown>>();
    latest = value;
    return <SchemaForm schema={schema} pointer="/model/options" value={value} onChange={setValue} errors={errors} />;
  }
  render(
    <MantineProvider env="test">
      <Page />
    </MantineProvider>,
  );
  return { spec: () => latest };
}

test("every option has a field that shows its default, its help and its range", () => {
  renderForm();
  expect(screen.getByLabelText("Hidden features")).toHaveProperty("value", "64");
  expect(screen.getByText("Width of the hidden layers · 1 to 8192")).toBeTruthy();
  expect(screen.getByLabelText("Fanouts")).toHaveProperty("value", "15, 10");
  expect(screen.getByLabelText("Replace")).toHaveProperty("checked", false);
  expect(screen.getByLabelText("Number of parts")).toHaveProperty("placeholder", "auto");
});

test("only what was changed is in the spec, and changing it back takes it out again", () => {
  const { spec } = renderForm();
  expect(spec()).toBeUndefined();
  fireEvent.change(screen.getByLabelText("Hidden features"), { target: { value: "128" } });
  fireEvent.click(screen.getByLabelText("Replace"));
  expect(spec()).toEqual({ hiddenFeats: 128, replace: true });
  fireEvent.change(screen.getByLabelText("Hidden features"), { target: { value: "64" } });
  expect(spec()).toEqual({ replace: true });
});

test("a list of numbers is typed with commas; what is no number is said at the field, and sent to be refused", () => {
  const { spec } = renderForm();
  const field = screen.getByLabelText("Fanouts");
  fireEvent.change(field, { target: { value: "5, 3" } });
  expect(spec()).toEqual({ fanouts: [5, 3] });
  fireEvent.change(field, { target: { value: "5, x" } });
  expect(screen.getByText("Numbers, with commas between them: 15, 10")).toBeTruthy();
  expect(spec()).toEqual({ fanouts: "5, x" });
});

test("a group that may be absent appears with its switch and stays when its values are defaults", () => {
  const { spec } = renderForm();
  expect(screen.queryByLabelText("Patience")).toBeNull();
  fireEvent.click(screen.getByLabelText("Early stopping"));
  expect(spec()).toEqual({ earlyStopping: {} });
  fireEvent.change(screen.getByLabelText("Patience"), { target: { value: "3" } });
  expect(spec()).toEqual({ earlyStopping: { patience: 3 } });
  fireEvent.change(screen.getByLabelText("Patience"), { target: { value: "10" } });
  expect(spec()).toEqual({ earlyStopping: {} });
});

test("an error stands at the field that its pointer names", () => {
  renderForm(new Map([["/model/options/hiddenFeats", "Found 9000, expected at most 8192."]]));
  const field = screen.getByLabelText("Hidden features");
  expect(field.getAttribute("aria-invalid")).toBe("true");
  const described = (field.getAttribute("aria-describedby") ?? "").split(" ").map((id) => document.getElementById(id));
  expect(described.map((element) => element?.textContent)).toContain("Found 9000, expected at most 8192.");
});

/** What a person's keys do to a field: one change after each. */
function typeInto(field: HTMLElement, text: string): void {
  fireEvent.change(field, { target: { value: "" } });
  for (let end = 1; end <= text.length; end++) fireEvent.change(field, { target: { value: text.slice(0, end) } });
}

test("a number is typed key by key, its default never in the way", () => {
  const { spec } = renderForm();
  const rate = screen.getByLabelText<HTMLInputElement>("Learning rate");
  typeInto(rate, "0.05");
  expect(rate.value).toBe("0.05");
  expect(spec()).toEqual({ lr: 0.05 });
  typeInto(rate, "1e-4");
  expect(rate.value).toBe("1e-4");
  expect(spec()).toEqual({ lr: 1e-4 });
  fireEvent.blur(rate);
  expect(rate.value).toBe("0.0001");
  typeInto(rate, "");
  expect(rate.value).toBe("");
  expect(spec()).toBeUndefined();
  fireEvent.blur(rate);
  expect(rate.value).toBe("0.01");
});

test("a number that is none, or out of range, is said while it is typed and stays to be refused", () => {
  const { spec } = renderForm();
  const width = screen.getByLabelText<HTMLInputElement>("Hidden features");
  typeInto(width, "-5");
  expect(screen.getByText("Found -5, expected 1 to 8192.")).toBeTruthy();
  expect(spec()).toEqual({ hiddenFeats: "-5" });
  typeInto(width, "1.5");
  expect(screen.getByText("Found 1.5, expected a whole number.")).toBeTruthy();
  typeInto(screen.getByLabelText("Learning rate"), "0,05");
  expect(screen.getByText('"0,05" is no number; write for example 0.05.')).toBeTruthy();
  fireEvent.blur(width);
  expect(width.value).toBe("1.5");
  expect(width.getAttribute("aria-invalid")).toBe("true");
});

test("the arrow keys step a number within its range", () => {
  const { spec } = renderForm();
  const rate = screen.getByLabelText<HTMLInputElement>("Learning rate");
  fireEvent.keyDown(rate, { key: "ArrowUp" });
  expect(spec()).toEqual({ lr: 0.02 });
  const seen = Array.from({ length: 3 }, () => {
    fireEvent.keyDown(rate, { key: "ArrowDown" });
    return rate.value;
  });
  expect(seen).toEqual(["0.01", "0.009", "0.008"]);
  const width = screen.getByLabelText<HTMLInputElement>("Hidden features");
  typeInto(width, "8192");
  fireEvent.keyDown(width, { key: "ArrowUp" });
  expect(width.value).toBe("8192");
});
