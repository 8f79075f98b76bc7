import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import type { InputOf } from "@hopwise/client";
import { CliError } from "../cli-error.ts";

/** Nodes as the body of a question has them; the service says what is wrong with one. */
export type NewNodes = NonNullable<InputOf<"POST /v1/models/:id/predict">["body"]["nodes"]>;

/**
 * New nodes of a file: a JSON list of them, one of them, or one on each line.
 *
 * @param path "-": `stdin`
 * @throws CliError usage, with the line that is no JSON
 */
export async function readNewNodes(path: string, stdin: NodeJS.ReadableStream): Promise<NewNodes> {
  const content = await (path === "-" ? text(stdin) : readFile(path, "utf8")).catch((error: Error) => {
    throw new CliError("usage", `${path} cannot be read: ${error.message}.`);
  });
  const whole = parsed(content);
  if (whole !== undefined) return [whole].flat() as NewNodes;
  const lines = content.split(/\r?\n/);
  return lines.flatMap((line, i) => {
    if (line.trim() === "") return [];
    const node = parsed(line);
    if (node === undefined) {
      throw new CliError("usage", `${path}, line ${i + 1}: this is no JSON; expected a list of nodes, or one a line.`);
    }
    return [node] as NewNodes;
  });
}

function parsed(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return undefined;
  }
}
