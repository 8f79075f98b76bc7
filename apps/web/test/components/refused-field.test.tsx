// @vitest-environment happy-dom
import { MantineProvider, TextInput } from "@mantine/core";
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { SchemaForm } from "../../src/components/SchemaForm/SchemaForm.tsx";
import type { JsonSchema } from "../../src/services/json-schema.ts";
import { showRefusedField } from "../../src/services/refused-field.ts";

afterEach(cleanup);

const schema: JsonSchema = {
  type: "object",
  properties: { ranks: { type: "integer", default: 1 }, hosts: { type: "integer", default: 1 } },
};

function renderForm(refused: ReadonlyMap<string, string>) {
  render(
    <MantineProvider env="test">
      <form aria-label="Job">
        <TextInput label="Job name" />
        <details data-testid="fold">
          <summary>More</summary>
          <SchemaForm schema={schema} pointer="/resources" value={{}} onChange={() => {}} errors={refused} />
        </details>
      </form>
    </MantineProvider>,
  );
  return screen.getByRole("form", { name: "Job" });
}

test("the field that was refused gets the keyboard, and the fold that hides it opens", () => {
  const form = renderForm(new Map([["/resources/hosts", "One host is online."]]));
  expect(showRefusedField(form)).toBe(screen.getByLabelText("Hosts"));
  expect(document.activeElement).toBe(screen.getByLabelText("Hosts"));
  expect(screen.getByTestId<HTMLDetailsElement>("fold").open).toBe(true);
});

test("without a field that shows an error the keyboard stays where it is", () => {
  const form = renderForm(new Map());
  screen.getByLabelText("Job name").focus();
  expect(showRefusedField(form)).toBeNull();
  expect(document.activeElement).toBe(screen.getByLabelText("Job name"));
});
