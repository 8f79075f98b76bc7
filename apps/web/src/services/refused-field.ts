const refused = ["input", "textarea"].map((kind) => `${kind}[aria-invalid="true"], ${kind}[data-error]`).join(", ");

/**
 * Brings the first field of a form that shows an error into view and puts the keyboard into it; folds around it open.
 *
 * @returns the field; null when no field shows one
 */
export function showRefusedField(form: HTMLElement): HTMLElement | null {
  const field = form.querySelector<HTMLElement>(refused);
  if (!field) return null;
  for (let fold = field.closest("details"); fold; fold = fold.parentElement?.closest("details") ?? null) {
    fold.open = true;
  }
  field.scrollIntoView({ block: "center" });
  field.focus({ preventScroll: true });
  return field;
}
