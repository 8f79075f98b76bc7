import { Client as McpClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { hopwiseProgram } from "./hopwise.ts";

/** The official client, connected with the command line as its server. */
export async function connect(env: Record<string, string>, ...flags: string[]): Promise<McpClient> {
  const { PATH = "" } = process.env;
  const args = [hopwiseProgram, "mcp", ...flags];
  const client = new McpClient({ name: "test", version: "1" });
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env: { PATH, ...env } }));
  return client;
}

/** What a tool answers that has found nothing wrong. */
export async function told<T = unknown>(
  client: McpClient,
  name: string,
  given: Record<string, unknown> = {},
): Promise<T> {
  const { content, isError } = await client.callTool({ name, arguments: given });
  const [{ text = "" } = {}] = content as { text?: string }[];
  if (isError) throw new Error(text);
  return JSON.parse(text) as T;
}
