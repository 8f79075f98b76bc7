// @vitest-environment happy-dom
import { MantineProvider } from "@mantine/core";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, expect, test } from "vitest";
import { TypeRuleFields } from "../../src/components/MappingForm/TypeRuleFields.tsx";
import type { TypeRule } from "../../src/services/dataset-mapping.ts";

afterEach(cleanup);

/** The fields with this rule, and what rule they have come to */
function show(start: TypeRule | null): () => TypeRule | null {
  let rule = start;
  function Form() {
    const [shown, setShown] = useState(start);
    rule = shown;
    return <TypeRuleFields rule={shown} onChange={setShown} />;
  }
  render(
    <MantineProvider>
      <Form />
    </MantineProvider>,
  );
  return () => rule;
}

const change = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });

test("a separator makes a rule, which then asks which type counts, and none takes it back", () => {
  const rule = show(null);
  expect(screen.queryAllByLabelText("Which of them counts")).toEqual([]);
  change("Several types in a cell", "|");
  expect(rule()).toEqual({ separator: "|", map: {}, prefer: [] });
  for (const text of ["Actor", "Actor,", "Actor, Person"]) change("Which of them counts", text);
  expect(rule()).toEqual({ separator: "|", map: {}, prefer: ["Actor", "Person"] });
  change("Several types in a cell", "");
  expect(rule()).toBeNull();
});

test("combinations that are mapped by the spec stay, and are told", () => {
  const rule = show({ separator: ";", map: { "a;b": "b", "a;c": "c" }, prefer: ["a"] });
  expect(screen.getByText(/2 combinations have a type of their own/)).toBeDefined();
  change("Several types in a cell", ",");
  expect(rule()).toEqual({ separator: ",", map: { "a;b": "b", "a;c": "c" }, prefer: ["a"] });
});
