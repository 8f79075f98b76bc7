/** What one check of a service found. */
export interface Finding {
  readonly check: "service" | "stores" | "key" | "workers" | "devices" | "disk" | "hosts";
  /** bad: jobs cannot run as they are meant to; note: worth knowing */
  readonly state: "good" | "note" | "bad";
  readonly found: string;
  /** What to do next; null: nothing */
  readonly advice: string | null;
}

export function good(check: Finding["check"], found: string): Finding {
  return { check, state: "good", found, advice: null };
}
