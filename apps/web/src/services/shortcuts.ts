/** What the keyboard can do on every page. */
export type ShortcutAction =
  | { readonly kind: "go"; readonly to: "/jobs" | "/datasets" | "/models" | "/workers" | "/notifications" }
  | { readonly kind: "palette" }
  | { readonly kind: "search" }
  | { readonly kind: "help" };

export interface Shortcut {
  readonly keys: readonly string[];
  readonly does: string;
}

/** In the order of the sheet. */
export const shortcuts: readonly Shortcut[] = [
  { keys: ["Ctrl", "K"], does: "Search jobs, datasets, pages and actions" },
  { keys: ["g", "j"], does: "Go to the jobs" },
  { keys: ["g", "d"], does: "Go to the datasets" },
  { keys: ["g", "m"], does: "Go to the models" },
  { keys: ["g", "w"], does: "Go to the workers" },
  { keys: ["g", "n"], does: "Go to the notifications" },
  { keys: ["/"], does: "Search this page, or everything" },
  { keys: ["?"], does: "Show this sheet" },
];

const places = { j: "/jobs", d: "/datasets", m: "/models", w: "/workers", n: "/notifications" } as const;
/** How long the second key of a pair is waited for. */
const pairMs = 1500;

interface Pressed {
  readonly key: string;
  readonly isCommand: boolean;
  readonly isTyping: boolean;
  readonly at: number;
}

/** Reads keys one after the other. While somebody types, Ctrl-K alone counts. */
export class ShortcutReader {
  #goAt = Number.NEGATIVE_INFINITY;

  read({ key, isCommand, isTyping, at }: Pressed): ShortcutAction | null {
    const isSecond = at - this.#goAt <= pairMs;
    this.#goAt = Number.NEGATIVE_INFINITY;
    if (isCommand) return key.toLowerCase() === "k" ? { kind: "palette" } : null;
    if (isTyping) return null;
    if (isSecond && key in places) return { kind: "go", to: places[key as keyof typeof places] };
    if (key === "g") this.#goAt = at;
    if (key === "/") return { kind: "search" };
    return key === "?" ? { kind: "help" } : null;
  }
}

const typed = "input:not([type=checkbox]):not([type=radio]):not([type=button]), textarea, select, [contenteditable]";

/** Whether keys belong to what has the focus: a field, a list of choices, a menu, or anything in a dialog. */
export function takesKeys(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest(`${typed}, [role=combobox], [role=listbox], [role=menu], [role=dialog]`) !== null
  );
}
