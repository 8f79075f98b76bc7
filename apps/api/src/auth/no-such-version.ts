import { AppError } from "@hopwise/contracts";

const mostNamed = 5;

/**
 * The 404 of a version of something that the viewer may see, with those that are there.
 *
 * @param name  what the versions are asked for by: `papers@3` names the third of papers
 * @param there  numbers of versions, the newest first
 */
export function noSuchVersion(
  what: "model" | "dataset",
  name: string,
  asked: number,
  there: readonly number[],
): AppError {
  const named = there.slice(0, mostNamed).map((number) => `${name}@${number}`);
  const more = there.length > named.length ? ` and ${there.length - named.length} before` : "";
  const choice =
    named.length === 0 ? "it has none" : `there ${there.length === 1 ? "is" : "are"} ${named.join(", ")}${more}`;
  return new AppError("REQUEST_NOT_FOUND", `The ${what} "${name}" has no version ${asked}; ${choice}.`);
}
