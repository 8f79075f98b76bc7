// @vitest-environment happy-dom
import { expect, test } from "vitest";
import { ShortcutReader, takesKeys } from "../../src/services/shortcuts.ts";

const press = (
  reader: ShortcutReader,
  key: string,
  more: { isCommand?: boolean; isTyping?: boolean; at?: number } = {},
) => reader.read({ key, isCommand: false, isTyping: false, at: 0, ...more });

test("g and a letter lead to a page, unless the second key comes late or is another", () => {
  const reader = new ShortcutReader();
  expect(press(reader, "j")).toBeNull();
  expect(press(reader, "g")).toBeNull();
  expect(press(reader, "j", { at: 900 })).toEqual({ kind: "go", to: "/jobs" });
  press(reader, "g");
  expect(press(reader, "d", { at: 2000 })).toBeNull();
  press(reader, "g");
  press(reader, "x", { at: 10 });
  expect(press(reader, "d", { at: 20 })).toBeNull();
});

test("while somebody types only Ctrl-K counts", () => {
  const reader = new ShortcutReader();
  for (const key of ["g", "j", "/", "?", "k"]) expect(press(reader, key, { isTyping: true })).toBeNull();
  expect(press(reader, "K", { isTyping: true, isCommand: true })).toEqual({ kind: "palette" });
  expect(press(reader, "p", { isCommand: true })).toBeNull();
  expect(press(reader, "/")).toEqual({ kind: "search" });
  expect(press(reader, "?")).toEqual({ kind: "help" });
});

test("fields, choices and dialogs take keys; checkboxes, buttons and text do not", () => {
  document.body.innerHTML = `<input id="a"><textarea id="b"></textarea><input id="c" type="checkbox"><p id="d"></p>
    <div role="dialog"><button id="e"></button></div><button id="f"></button><input id="h" role="combobox">`;
  const takers = ["a", "b", "c", "d", "e", "f", "h"].filter((id) => takesKeys(document.getElementById(id)));
  expect(takers).toEqual(["a", "b", "e", "h"]);
  expect(takesKeys(null)).toBe(false);
});
