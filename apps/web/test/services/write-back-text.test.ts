import { expect, it } from "vitest";
import { columnsOfText, tableOfText } from "../../src/services/write-back-text.ts";

it("a table is said with or without its schema", () => {
  expect(tableOfText("results.papers")).toEqual({ schema: "results", table: "papers" });
  expect(tableOfText("papers")).toEqual({ table: "papers" });
  expect(tableOfText("results.a.b")).toEqual({ schema: "results", table: "a.b" });
});

it("other names of columns are pairs, whatever spaces stand between them", () => {
  expect(columnsOfText("id=paper,  embedding = vec")).toEqual({ id: "paper", embedding: "vec" });
  expect(columnsOfText(" ")).toEqual({});
});
