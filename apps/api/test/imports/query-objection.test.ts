import { describe, expect, it } from "vitest";
import { checkQuery } from "../../src/imports/sql/query-objection.ts";

describe("a query that is asked for", () => {
  it.each([
    "SELECT id FROM users",
    "  -- people\n(select 1) union all (select 2)",
    "/* all */ WITH a AS (SELECT 1) SELECT * FROM a",
    "VALUES (1), (2)",
    "TABLE users",
  ])("may read: %j", (query) => expect(checkQuery(query)).toBe(query));

  it.each([
    ["", "Found nothing"],
    ["-- SELECT 1", "Found nothing"],
    ["DROP TABLE users", "Found DROP …"],
    ["SELECT id INTO OUTFILE '/tmp/ids' FROM users", "Found OUTFILE, which writes a file"],
    ["SELECT id FROM users INTO/**/dumpfile '/tmp/ids'", "Found DUMPFILE, which writes a file"],
  ])("may do nothing else: %j", (query, found) => expect(() => checkQuery(query)).toThrow(found));
});
