import fc from "fast-check";
import { expect, test } from "vitest";
import { timeOf } from "../../src/io/ingest/time-of.ts";

test.each([
  ["1970-01-02", 86_400],
  ["2024-05-31", 1_717_113_600],
  ["2024-05-31T10:20", 1_717_150_800],
  ["2024-05-31 10:20:05", 1_717_150_805],
  ["2024-05-31T10:20:05.25Z", 1_717_150_805.25],
  ["2024-05-31T12:20:05+02:00", 1_717_150_805],
  ["2024-05-31 05:50:05-0430", 1_717_150_805],
  ["2024-05-31 10:20:05.123456+00", 1_717_150_805.123456],
  [" 17.5 ", 17.5],
  ["-3", -3],
])("%s is %d seconds since 1970, of UTC where it names no zone", (text, seconds) => {
  expect(timeOf(text)).toBeCloseTo(seconds, 6);
});

test.each([
  null,
  "",
  "soon",
  "2023-02-29",
  "2024-04-31",
  "2024-13-01",
  "2024-05-31T24:00",
  "0099-01-01",
  "2024-05-31T10:61",
  "31.05.2024",
  "2024-05-31T10",
])("%s is no time", (text) => {
  expect(timeOf(text)).toBeNaN();
});

test("any moment is read as the platform's own calendar writes it", () => {
  const moment = fc.date({ min: new Date("1000-01-01"), max: new Date("9000-01-01"), noInvalidDate: true });
  fc.assert(
    fc.property(moment, (at) => {
      expect(timeOf(at.toISOString())).toBeCloseTo(at.getTime() / 1000, 3);
    }),
  );
});
