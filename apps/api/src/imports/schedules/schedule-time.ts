import { AppError, type ScheduleRequest } from "@hopwise/contracts";
import { CronExpressionParser } from "cron-parser";
import type { ImportSchedule } from "../../generated/prisma/client.ts";

/** When a schedule runs. */
export type Cadence = Pick<ImportSchedule, "everyMinutes" | "cron" | "timeZone">;

const minuteMs = 60_000;
const mostMinutes = 366 * 24 * 60;
const words = { hourly: 60, daily: 24 * 60, weekly: 7 * 24 * 60 } as const;
const unitMinutes = { m: 1, h: 60, d: 24 * 60 } as const;

const value = "(?:\\d{1,2}|[A-Za-z]{3})";
const item = `(?:\\*|${value}(?:-${value})?)(?:/\\d{1,2})?`;
/** One field of a cron expression: plain lists, ranges and steps, nothing that a library adds. */
const fieldPattern = new RegExp(`^${item}(?:,${item}){0,30}$`);

/**
 * What a request asks for, as it is stored.
 *
 * @param leastMinutes  between two times (HOPWISE_SCHEDULE_MINUTES)
 * @throws AppError REQUEST_INVALID with its place: both or neither of every and cron, an expression or a time zone that
 * is none, or runs that follow each other too soon
 */
export function cadenceOf({ every, cron, timeZone }: ScheduleRequest, now: Date, leastMinutes: number): Cadence {
  if ((every === undefined) === (cron === undefined))
    throw invalid("/every", "A schedule has either every, like daily, or cron, like 0 6 * * *.");
  if (every !== undefined) {
    if (timeZone !== undefined) throw invalid("/timeZone", "A time zone is for cron; every counts from now.");
    return { everyMinutes: minutesOf(every, leastMinutes), cron: null, timeZone: "UTC" };
  }
  const cadence = { everyMinutes: null, cron: cron?.trim() ?? "", timeZone: timeZone ?? "UTC" };
  requireZone(cadence.timeZone);
  requireSeldom(cadence, now, leastMinutes);
  return cadence;
}

function minutesOf(every: string, leastMinutes: number): number {
  const [, number = "", unit = ""] = /^(\d+)([mhd])$/.exec(every) ?? [];
  const minutes = every in words ? words[every as "daily"] : Number(number) * unitMinutes[unit as "m"];
  if (minutes < leastMinutes) throw invalid("/every", tooOften(minutes, leastMinutes));
  if (minutes > mostMinutes) throw invalid("/every", `Found ${every}, expected a year (366d) at most.`);
  return minutes;
}

function requireZone(timeZone: string): void {
  try {
    Intl.DateTimeFormat("en", { timeZone });
  } catch {
    throw invalid("/timeZone", `Found "${timeZone}", expected a time zone like Europe/Berlin.`);
  }
}

/** Times of two days show how near to each other an expression's times lie. */
function requireSeldom(cadence: Cadence, now: Date, leastMinutes: number): void {
  const { cron } = cadence;
  const fields = (cron ?? "").split(/\s+/);
  const wrong = fields.find((field) => !fieldPattern.test(field));
  if (fields.length !== 5 || wrong !== undefined)
    throw invalid(
      "/cron",
      "Expected five fields: minute, hour, day of the month, month, day of the week; 0 6 * * 1-5.",
    );
  const first = cronTimes(cadence, now);
  try {
    let last = first.next().getTime();
    const end = last + 2 * 24 * 60 * minuteMs;
    for (let time = first.next().getTime(); last < end; last = time, time = first.next().getTime())
      if (time - last < leastMinutes * minuteMs)
        throw invalid("/cron", tooOften((time - last) / minuteMs, leastMinutes));
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw invalid("/cron", `The expression has no time in the next years: ${(error as Error).message}`);
  }
}

/**
 * The first time of a schedule after another.
 *
 * @param anchorAt  what every counts from
 */
export function nextTime(cadence: Cadence, anchorAt: Date, after: Date): Date {
  if (cadence.everyMinutes === null) return cronTimes(cadence, after).next().toDate();
  const everyMs = cadence.everyMinutes * minuteMs;
  const passed = Math.floor((after.getTime() - anchorAt.getTime()) / everyMs);
  return new Date(anchorAt.getTime() + (Math.max(0, passed) + 1) * everyMs);
}

function cronTimes({ cron, timeZone }: Cadence, currentDate: Date) {
  try {
    return CronExpressionParser.parse(cron ?? "", { currentDate, tz: timeZone });
  } catch (error) {
    throw invalid("/cron", `This is no cron expression: ${(error as Error).message}.`);
  }
}

function tooOften(found: number, least: number): string {
  return `Found runs ${found} min apart, expected ${least} min or more (HOPWISE_SCHEDULE_MINUTES).`;
}

function invalid(pointer: string, message: string): AppError {
  return new AppError("REQUEST_INVALID", message, { place: { pointer } });
}
