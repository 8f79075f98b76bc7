import type { z } from "zod";

/** The first thing that a schema objects to: where it is, and what is wrong there. */
export interface SchemaIssue {
  /** RFC 6901 */
  readonly pointer: string;
  readonly message: string;
}

/**
 * The place and the words of the first issue. A field that there is not is pointed at by its own name: zod names only
 * the object that holds it.
 *
 * @param path where the value that was checked stands in what somebody sent
 */
export function schemaIssue(error: z.ZodError, path: readonly PropertyKey[] = []): SchemaIssue {
  const [issue] = error.issues;
  const more = error.issues.length > 1 ? ` (and ${error.issues.length - 1} more)` : "";
  const at = [...path, ...(issue?.path ?? [])];
  if (issue?.code === "unrecognized_keys") {
    const pointer = pointerOf([...at, issue.keys[0] ?? ""]);
    return { pointer, message: `There is no field of this name here; correct or remove it${more}` };
  }
  return { pointer: pointerOf(at), message: `${issue?.message ?? "not valid"}${more}` };
}

/** RFC 6901 */
export function pointerOf(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}
