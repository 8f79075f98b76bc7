import { expect, test } from "vitest";
import { bootVersion } from "../../src/services/boot-version.ts";

const boots = [
  { version: "0.2.0", from: "2026-11-24T10:00:00Z", to: "2026-11-24T12:00:00Z" },
  { version: "0.1.0", from: "2026-11-24T08:00:00Z", to: "2026-11-24T09:30:00Z" },
];

test("an attempt ran on the version that its worker had then, not on that of today", () => {
  expect(bootVersion(boots, "2026-11-24T09:00:00Z")).toBe("0.1.0");
  expect(bootVersion(boots, "2026-11-24T11:00:00Z")).toBe("0.2.0");
  expect(bootVersion(boots, "2026-11-24T07:59:30Z"), "within the minute before the first that is kept").toBe("0.1.0");
});

test("of a time of which nothing is kept no version is told", () => {
  expect(bootVersion(boots, "2026-11-23T11:00:00Z")).toBeNull();
  expect(bootVersion(boots, "2026-11-24T09:45:00Z")).toBeNull();
  expect(bootVersion([], "2026-11-24T11:00:00Z")).toBeNull();
});
