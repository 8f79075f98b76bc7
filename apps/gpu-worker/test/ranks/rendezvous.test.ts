import { expect, test } from "vitest";
import { RendezvousTable } from "../../src/ranks/rendezvous.ts";

const value = Uint8Array.of(1, 2);

test("a look-up before the key is set is answered when it arrives, to everyone", async () => {
  const table = new RendezvousTable();
  const early = [table.get("rank0"), table.get("rank0")];
  table.set("rank0", value);
  expect(await Promise.all(early)).toEqual([value, value]);
  expect(await table.get("rank0")).toEqual(value);
});
