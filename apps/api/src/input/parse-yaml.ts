import { AppError, limits } from "@hopwise/contracts";
import { parse, YAMLParseError } from "yaml";
import { requireSound } from "./require-sound.ts";
import { yamlExcess } from "./yaml-excess.ts";

const options = {
  // Texts, numbers, booleans, null, lists and maps; a %YAML line or a tag in the text changes nothing of that.
  schema: "core",
  resolveKnownTags: false,
  maxAliasCount: 20,
  // Each error would be given its lines of the text, however many there are.
  prettyErrors: false,
  logLevel: "error",
} as const;

/**
 * A YAML body, refused before it is parsed when it is too deep or too long.
 *
 * @throws AppError REQUEST_INVALID, with the line of an error or the pointer where a value cannot be taken
 */
export function parseYaml(text: string): unknown {
  const excess = yamlExcess(text);
  if (excess === null) return requireSound(parsed(text));
  throw new AppError("REQUEST_INVALID", `The body is not read: ${excess}. Send a large spec as JSON.`);
}

function parsed(text: string): unknown {
  try {
    return parse(text, options);
  } catch (cause) {
    const line = cause instanceof YAMLParseError ? lineAt(text, cause.pos[0]) : undefined;
    const where = line === undefined ? "" : ` (line ${line})`;
    const detail = `The body is not YAML of at most ${limits.bodyDepth} levels: ${(cause as Error).message}${where}.`;
    throw new AppError("REQUEST_INVALID", detail, { cause, place: { line } });
  }
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}
