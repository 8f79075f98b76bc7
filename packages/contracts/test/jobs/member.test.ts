import { assert, constantFrom, integer, property, record } from "fast-check";
import { expect, test } from "vitest";
import { member, memberName, memberTitle, parseMemberName } from "../../src/jobs/member.ts";
import { countMembers, membersOf, stageSlice } from "../../src/jobs/stage-slice.ts";

const anyMember = record({
  kind: constantFrom("rank" as const, "sampler" as const),
  index: integer({ min: 0, max: 2 ** 31 - 1 }),
});

test("a name leads back to its member, and no two members share one", () => {
  assert(
    property(anyMember, (one) => {
      expect(parseMemberName(memberName(one))).toEqual(one);
    }),
  );
  const names = membersOf({ ranks: { first: 0, count: 3 }, samplers: { first: 0, count: 3 } }).map(memberName);
  expect(names).toEqual(["0", "1", "2", "sampler 0", "sampler 1", "sampler 2"]);
});

test("a sentence begins with what the member is", () => {
  const titles = (["rank", "sampler"] as const).map((kind) => memberTitle({ kind, index: 3 }));
  expect(titles).toEqual(["Rank 3", "Sampler 3"]);
});

test.each([
  "",
  " 0",
  "00",
  "-1",
  "1.5",
  "1e3",
  "rank 0",
  "Sampler 0",
  "sampler",
  "sampler  0",
  "0\n",
  "2147483648",
  "٣",
])("%j is no name of a member", (name) => {
  expect(parseMemberName(name)).toBeNull();
});

test.each([
  { kind: "rank", index: -1 },
  { kind: "rank", index: 0.5 },
  { kind: "rank", index: 2 ** 31 },
  { kind: "rank", index: "0" },
  { kind: "leader", index: 0 },
  { kind: "__proto__", index: 0 },
  { index: 0 },
  "sampler 0",
  0,
  null,
])("%j is no member", (value) => {
  expect(member.safeParse(value).success).toBe(false);
});

test("a slice names the members of each kind by numbers of their own, and cannot name more than a job may have", () => {
  const slice = { index: 1, count: 2, ranks: { first: 2, count: 1 }, samplers: { first: 0, count: 2 } };
  expect(membersOf(stageSlice.parse(slice)).map(memberName)).toEqual(["2", "sampler 0", "sampler 1"]);
  expect(countMembers(slice)).toBe(3);
  for (const range of [
    { first: 0, count: 1e9 },
    { first: -1, count: 1 },
    { first: 0, count: 0.5 },
  ]) {
    expect(stageSlice.safeParse({ ...slice, samplers: range }).success).toBe(false);
  }
});
