import { browserShelf, type Shelf } from "./job-columns.ts";

const storageKey = "hopwise-times";

/** The zone that times are shown in: that of the browser (undefined), or UTC where this browser has chosen it. */
export function shownTimeZone(shelf: Shelf | null): "UTC" | undefined {
  try {
    return shelf?.getItem(storageKey) === "UTC" ? "UTC" : undefined;
  } catch {
    return undefined; // storage that is closed to the page
  }
}

/** Shows times in the other zone from now on. Whatever was drawn is drawn anew, so the page is loaded again. */
export function switchTimeZone(): void {
  const next = shownTimeZone(browserShelf()) === "UTC" ? "local" : "UTC";
  browserShelf()?.setItem(storageKey, next);
  location.reload();
}

/** How times are written in a zone; in UTC they say so. */
export function timeWriter(options: Intl.DateTimeFormatOptions, zone: "UTC" | undefined): (ms: number) => string {
  const format = new Intl.DateTimeFormat("en-GB", zone === undefined ? options : { ...options, timeZone: zone });
  return (ms) => (zone === undefined ? format.format(ms) : `${format.format(ms)} ${zone}`);
}
