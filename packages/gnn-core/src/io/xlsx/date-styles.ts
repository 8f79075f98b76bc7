import { elementsOf, type Workbook } from "./workbook.ts";

/** Formats of dates and times that need no definition (ECMA-376, 18.8.30). */
const builtIn = (id: number) =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58);
const dayMs = 86_400_000;
/** 9999-12-31 */
const lastDay = 2_958_465;

/** The numbers of styles whose cells show a date or a time. @throws GnnError DATASET_FORMAT_INVALID */
export async function dateStylesOf({ styles, name }: Workbook): Promise<ReadonlySet<number>> {
  const dates = new Set<number>();
  if (styles === null) return dates;
  const ofDates = new Set<number>();
  let style = 0;
  for await (const { name: element, attributes, parent } of elementsOf(styles, name, "numFmt", "xf")) {
    if (element === "numFmt" && showsDate(attributes["formatCode"] ?? "")) ofDates.add(Number(attributes["numFmtId"]));
    if (element !== "xf" || parent?.name !== "cellXfs") continue;
    const format = Number(attributes["numFmtId"] ?? 0);
    if (builtIn(format) || ofDates.has(format)) dates.add(style);
    style++;
  }
  return dates;
}

/** Whether letters of dates stand outside quotes, brackets and escapes. */
function showsDate(code: string): boolean {
  return /[dmyhs]/i.test(code.replace(/"[^"]*"|\[(?!h+\]|m+\]|s+\])[^\]]*\]|\\.|_./gi, ""));
}

/**
 * A count of days as an ISO date, with its time where it has one; a fraction alone is a time. Excel has a 29 February
 * 1900, which was none: days before it are counted from one later. What is no day of its calendar stays a number.
 */
export function dateText(days: number, isFrom1904: boolean): string {
  if (!(days >= 0 && days <= lastDay)) return String(days);
  const shift = isFrom1904 ? 1462 : days < 60 ? 1 : 0;
  const at = new Date(Date.UTC(1899, 11, 30) + Math.round((days + shift) * dayMs));
  const [date = "", time = ""] = at.toISOString().split("T");
  const clock = time.replace(/(\.000)?Z$/, "");
  if (days < 1) return clock;
  return clock === "00:00:00" ? date : `${date}T${clock}`;
}
