interface KeyPress {
  readonly key: string;
  readonly target: EventTarget;
  preventDefault(): void;
}

/**
 * For the keys of a form: Enter in a field with a list takes a choice of it. Where the list has none, the form is not
 * sent in its place, with what was chosen before.
 */
export function keepFromSending(event: KeyPress): void {
  const hasList = event.target instanceof HTMLInputElement && event.target.getAttribute("aria-haspopup") === "listbox";
  if (event.key === "Enter" && hasList) event.preventDefault();
}
