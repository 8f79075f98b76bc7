import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, expect, test } from "vitest";
import { usedMantineStyles, usedOf, usedStyles } from "../../script/mantine-styles.ts";

const sheet = readFileSync(resolve(import.meta.dirname, "../../../../node_modules/@mantine/core/styles.css"), "utf8");
const folder = mkdtempSync(join(tmpdir(), "hopwise-styles-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("a component brings its own style and that of what it is made of", () => {
  writeFileSync(join(folder, "Page.tsx"), 'import { type BoxProps, Menu, Tabs as Views } from "@mantine/core";\n');
  const used = usedStyles(folder);
  for (const name of ["Menu", "Popover", "UnstyledButton", "Tabs"]) expect(used, name).toContain(name);
  expect(used).not.toContain("Tree");
  expect(used, "what shows notifications is built on the core").toContain("Notification");
});

test("every component that the dashboard draws keeps its style, and those it does not draw bring none", () => {
  const used = usedStyles(resolve(import.meta.dirname, "../../src"));
  for (const name of ["AppShell", "Button", "Combobox", "Modal", "Table"]) expect(used, name).toContain(name);
  for (const name of ["Tour", "Tree", "ColorPicker"]) expect(used, name).not.toContain(name);
});

test("what is left of the sheet stands in its order, with the variables and resets first", () => {
  const left = usedOf(sheet, new Set(["Tabs", "Button", "UnstyledButton"]));
  const at = ["--mantine-", ".m_87cf2631", ".m_77c9d27d", ".m_89d60db1"].map((text) => left.indexOf(text));
  expect(at.every((place) => place >= 0)).toBe(true);
  expect(at).toEqual(at.toSorted((a, b) => a - b));
  expect(left.length).toBeLessThan(sheet.length / 3);
});

test("a sheet that is not made of the components' files is refused, not cut at random", () => {
  expect(() => usedOf("body{margin:0}", new Set(["Button"]))).toThrow("styles.css does not hold");
});

test("only the core's sheet is touched", () => {
  const { transform } = usedMantineStyles(folder);
  if (typeof transform !== "function") throw new Error("The plugin transforms nothing.");
  expect(Reflect.apply(transform, undefined, ["a{}", "/x/@mantine/dropzone/styles.css"])).toBeNull();
});
