import { describe, expect, it } from "vitest";
import { scheduleText } from "../../src/services/schedule-text.ts";

describe("what a schedule does", () => {
  const daily = { everyMinutes: 1440, cron: null, timeZone: "UTC" };

  it("is told with its time, be it a span or a cron expression", () => {
    expect(scheduleText({ ...daily, adds: false })).toBe("Fetched again every day");
    expect(scheduleText({ ...daily, everyMinutes: 360, adds: false })).toBe("Fetched again every 6 hours");
    const cron = { everyMinutes: null, cron: "0 6 * * *", timeZone: "Europe/Berlin" };
    expect(scheduleText({ ...cron, adds: false })).toBe("Fetched again at 0 6 * * * (Europe/Berlin)");
  });

  it("says where the rows of each run are added", () => {
    expect(scheduleText({ ...daily, adds: true })).toBe("Fetched again every day, and its rows added");
  });
});
