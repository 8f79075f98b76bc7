import { describe, expect, it } from "vitest";
import { cadenceOf, nextTime } from "../../../src/imports/schedules/schedule-time.ts";

const now = new Date("2026-11-26T10:00:00Z");
const pointerOf = (request: Parameters<typeof cadenceOf>[0]) => {
  try {
    cadenceOf(request, now, 15);
    return null;
  } catch (error) {
    return (error as { problem: { pointer: string } }).problem.pointer;
  }
};

describe("the times of a schedule", () => {
  it.each([
    ["15m", "2026-11-26T10:15:00.000Z"],
    ["hourly", "2026-11-26T11:00:00.000Z"],
    ["daily", "2026-11-27T10:00:00.000Z"],
    ["weekly", "2026-12-03T10:00:00.000Z"],
    ["2d", "2026-11-28T10:00:00.000Z"],
  ])("count from when it was made: %s", (every, expected) => {
    expect(nextTime(cadenceOf({ every }, now, 15), now, now).toISOString()).toBe(expected);
  });

  it("keep their place after a time that was missed", () => {
    const late = new Date("2026-11-26T13:20:00Z");
    expect(nextTime(cadenceOf({ every: "hourly" }, now, 15), now, late).toISOString()).toBe("2026-11-26T14:00:00.000Z");
  });

  it("are of the time zone's clock, on both sides of a change of clocks", () => {
    const cadence = cadenceOf({ cron: "30 6 * * *", timeZone: "Europe/Berlin" }, now, 15);
    const after = (text: string) => nextTime(cadence, now, new Date(text)).toISOString();
    expect(after("2026-03-28T12:00:00Z")).toBe("2026-03-29T04:30:00.000Z");
    expect(after("2026-03-27T12:00:00Z")).toBe("2026-03-28T05:30:00.000Z");
    expect(after("2026-10-24T12:00:00Z")).toBe("2026-10-25T05:30:00.000Z");
  });

  it.each(["0 6 * * MON-FRI", "0,15,30,45 * * * *", "*/15 * * * *", "0 0 29 2 *"])("may be %s", (cron) => {
    expect(pointerOf({ cron })).toBeNull();
  });

  it.each([
    [{}, "/every"],
    [{ every: "daily", cron: "0 6 * * *" }, "/every"],
    [{ every: "14m" }, "/every"],
    [{ every: "9999d" }, "/every"],
    [{ every: "daily", timeZone: "UTC" }, "/timeZone"],
    [{ cron: "0 6 * * *", timeZone: "Mars/Olympus" }, "/timeZone"],
    [{ cron: "* * * * *" }, "/cron"],
    [{ cron: "5,55 * * * *" }, "/cron"],
    [{ cron: "5,55 0,23 * * *" }, "/cron"],
    [{ cron: "0 0 6 * * *" }, "/cron"],
    [{ cron: "H 6 * * *" }, "/cron"],
    [{ cron: "@daily" }, "/cron"],
    [{ cron: "61 6 * * *" }, "/cron"],
    [{ cron: "0 0 30 2 *" }, "/cron"],
  ])("are refused with their place: %j", (request, pointer) => {
    expect(pointerOf(request)).toBe(pointer);
  });
});
