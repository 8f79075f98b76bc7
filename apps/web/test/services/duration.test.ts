import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { formatDuration, parseDuration } from "../../src/services/duration.ts";

test.each([
  ["2 h", "PT2H"],
  ["90 min", "PT1H30M"],
  ["1.5h", "PT1H30M"],
  ["1 d 12 h", "PT36H"],
  ["2 days 5 minutes", "PT48H5M"],
  ["pt2h", "PT2H"],
])("%s is %s", (text, iso) => {
  expect(parseDuration(text)).toEqual({ value: iso });
});

test.each(["soon", "2", "2 weeks", "h", "2 h later", "PT", "0 min"])("%s is refused with examples", (text) => {
  expect(parseDuration(text)).toMatchObject({ problem: expect.stringContaining("90 min, 2 h or 1 d 12 h") });
});

test("what is shown is read back as the same duration, which the API takes", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 500 }), fc.integer({ min: 1, max: 59 }), (hours, minutes) => {
      const iso = `PT${hours > 0 ? `${hours}H` : ""}${minutes}M`;
      expect(z.iso.duration().safeParse(iso).success).toBe(true);
      expect(parseDuration(formatDuration(iso))).toEqual({ value: iso });
    }),
  );
});
