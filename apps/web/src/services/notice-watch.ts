/** What is told of a notice while it is new. */
export interface NewNotice {
  readonly number: number;
  readonly message: string;
  readonly jobId: string | null;
  /** Set: it tells of the end of a sweep. */
  readonly sweepId: string | null;
}

/** Where a notice leads: to what has ended, the sweep before its best job. */
export function pathOfNotice({ jobId, sweepId }: Pick<NewNotice, "jobId" | "sweepId">): string {
  if (sweepId !== null) return `/sweeps/${sweepId}`;
  return jobId === null ? "/notifications" : `/jobs/${jobId}`;
}

/** Those that have come since the page last looked, oldest first; none when it looks for the first time. */
export function newSince<N extends NewNotice>(lastSeen: number | null, items: readonly N[]): N[] {
  if (lastSeen === null) return [];
  return items.filter(({ number }) => number > lastSeen).toSorted((a, b) => a.number - b.number);
}

/** The number of the newest; 0 when there is none. */
export function newestOf(items: readonly NewNotice[]): number {
  return Math.max(0, ...items.map(({ number }) => number));
}

const shelfKey = "hopwise.browser-notices";

/** Whether this browser is to show notices by itself: somebody asked for it here, and the browser still allows it. */
export function showsInBrowser(): boolean {
  return mayAskBrowser() && Notification.permission === "granted" && localStorage.getItem(shelfKey) === "on";
}

/** Browsers show notices for pages of https or of this host only. */
export function mayAskBrowser(): boolean {
  return "Notification" in globalThis && globalThis.isSecureContext;
}

/** Asks the browser, which asks its user. @returns whether it shows notices from now on */
export async function askBrowser(wanted: boolean): Promise<boolean> {
  if (wanted && (await Notification.requestPermission()) === "granted") localStorage.setItem(shelfKey, "on");
  else localStorage.removeItem(shelfKey);
  return showsInBrowser();
}

/** One of a number is shown once, however many tabs are open. */
export function tellBrowser({ number, message, ...about }: NewNotice): void {
  const shown = new Notification("Hopwise", { body: message, tag: `hopwise-${number}` });
  shown.addEventListener("click", () => {
    globalThis.focus();
    location.assign(pathOfNotice(about));
  });
}
