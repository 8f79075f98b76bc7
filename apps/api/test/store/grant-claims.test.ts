import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type GrantClaims, mayRead, writtenFolder } from "../../src/store/grant-claims.ts";
import { nothing } from "./support/store-server.ts";

// Few and alike, so that one is often the beginning of another.
const segment = fc.constantFrom(
  "a",
  "ab",
  "a.b",
  "part1",
  "part10",
  "manifest.json",
  "a.checkpoint-1-2",
  "a.checkpoint-1-",
  "1",
);
const path = fc.array(segment, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/"));
const only = fc.option(fc.array(fc.constantFrom("part1/", "part1", "a", "ab/a"), { maxLength: 3 }));
const claims: fc.Arbitrary<GrantClaims> = fc.record({
  holder: fc.constant(nothing.holder),
  expires: fc.constant(0),
  reads: fc.array(fc.record({ prefix: path, only }), { maxLength: 2 }),
  writes: fc.array(fc.oneof(fc.record({ output: path }), fc.record({ blob: path })), { maxLength: 2 }),
});

/** Whether the folder of these segments holds the key, told by segments, and the key's name in it. */
function nameIn(folder: readonly string[], key: readonly string[]): string | null {
  const isBelow = key.length > folder.length && folder.every((part, i) => key[i] === part);
  return isBelow ? key.slice(folder.length).join("/") : null;
}

function isReadable(given: GrantClaims, key: string): boolean {
  return given.reads.some((read) => {
    const name = nameIn(read.prefix.split("/"), key.split("/"));
    if (name === null) return false;
    return (
      read.only === null || name === "manifest.json" || read.only.some((text) => name.slice(0, text.length) === text)
    );
  });
}

function isWritable(given: GrantClaims, key: string): boolean {
  return given.writes.some((write) => {
    if ("blob" in write) return write.blob === key;
    const parts = key.split("/");
    const output = write.output.split("/");
    const last = output.length - 1;
    const [own = "", found = ""] = [output[last], parts[last]];
    const isFolder =
      found === own || (found.startsWith(`${own}.`) && /^checkpoint-\d+-\d+$/.test(found.slice(own.length + 1)));
    return isFolder && nameIn([...output.slice(0, last), found], parts) !== null;
  });
}

describe("a grant", () => {
  it("allows to read and to write exactly the blobs that it names, told by segments of their keys", () => {
    let numAllowed = 0;
    fc.assert(
      fc.property(claims, path, (given, key) => {
        const mayWrite = isWritable(given, key);
        const isRead = isReadable(given, key);
        if (mayWrite || isRead) numAllowed++;
        expect(writtenFolder(given, key) !== null).toBe(mayWrite);
        expect(mayRead(given, key)).toBe(mayWrite || isRead);
      }),
      { numRuns: 3000, seed: 1 },
    );
    expect(numAllowed).toBeGreaterThan(50);
  });

  it("names the artifact that a written blob belongs to", () => {
    const given = { ...nothing, writes: [{ output: "p/3-train" }, { blob: "doctor/x.w" }] };
    expect(writtenFolder(given, "p/3-train/w/x")).toBe("p/3-train");
    expect(writtenFolder(given, "p/3-train.checkpoint-3-40/w/x")).toBe("p/3-train.checkpoint-3-40");
    expect(writtenFolder(given, "doctor/x.w")).toBe("doctor/x.w");
    expect(writtenFolder(given, "doctor/x.w/y")).toBeNull();
  });
});
