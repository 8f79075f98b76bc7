/** A name for a model from what its job is called: what a name may not hold becomes a dash. */
export function modelNameOf(text: string): string {
  return text
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9._]+/g, "-")
    .replaceAll(/^[^a-z0-9]+|-+$/g, "")
    .slice(0, 60);
}
