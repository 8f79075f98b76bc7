import { readFile } from "node:fs/promises";
import { addAbortSignal, type Readable } from "node:stream";
import type { AddCommand } from "../context.ts";
import { boundFolder } from "../mcp/bounded-path.ts";
import { readTools } from "../mcp/read-tools.ts";
import { serveMcp } from "../mcp/serve-mcp.ts";
import { writeTools } from "../mcp/write-tools.ts";

interface Me {
  readonly me: { readonly role: string };
}

interface McpFlags {
  readonly allowWrites?: boolean;
  readonly folder: string;
}

export const addMcp: AddCommand = (program, run) => {
  program
    .command("mcp")
    .description("serves these operations to assistants, by the Model Context Protocol over standard input and output")
    .option("--allow-writes", "also what uploads, submits, cancels, keeps and downloads, if the key's role allows it")
    .option("--folder <path>", "within which files are read and written; left out: the folder where it is started", ".")
    .action(
      run(async ({ client: open, output, streams }, { allowWrites = false, folder: given }: McpFlags) => {
        const folder = await boundFolder(given);
        const client = await open();
        const { me } = await client.graphql<Me>("query Me { me { role } }");
        const mayWrite = allowWrites && me.role.toLowerCase() !== "viewer";
        if (allowWrites && !mayWrite) output.note("The key is a viewer's: tools that change something are left out.");
        await serveMcp({
          client,
          tools: mayWrite ? [...readTools, ...writeTools] : readTools,
          version: await ownVersion(),
          folder,
          input: addAbortSignal(streams.signal, streams.stdin as Readable),
          write: (line) => streams.stdout.write(line),
          signal: streams.signal,
        });
      }),
    );
};

async function ownVersion(): Promise<string> {
  const path = new URL("../../package.json", import.meta.url);
  return (JSON.parse(await readFile(path, "utf8")) as { version: string }).version;
}
