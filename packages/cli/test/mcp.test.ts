import { describe, expect, it } from "vitest";
import { readTools } from "../src/mcp/read-tools.ts";
import { serveMcp } from "../src/mcp/serve-mcp.ts";
import type { Tool } from "../src/mcp/tool.ts";
import { writeTools } from "../src/mcp/write-tools.ts";

const echo: Tool = {
  name: "echo",
  description: "Says it again.",
  isReadOnly: true,
  required: ["text"],
  arguments: { text: { type: "string", description: "Anything" } },
  run: async ({ text }) => ({ text }),
};
const endless: Tool = {
  ...echo,
  name: "endless",
  run: (_, { signal, progress }) =>
    new Promise((_resolve, reject) => {
      progress(1, "begun");
      signal.addEventListener("abort", () => reject(signal.reason as Error));
    }),
};
const long: Tool = { ...echo, name: "long", run: async () => "x".repeat(300_000) };

/** What is answered to these lines. */
async function answersTo(lines: readonly (string | object)[]) {
  const written: Record<string, unknown>[] = [];
  await serveMcp({
    client: undefined as never,
    tools: [echo, endless, long],
    version: "1",
    folder: "/",
    // Cut anywhere: a line may come in pieces.
    input: (async function* () {
      const text = lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join("");
      for (let at = 0; at < text.length; at += 1000) yield Buffer.from(text.slice(at, at + 1000));
    })(),
    write: (line) => written.push(JSON.parse(line)),
    signal: new AbortController().signal,
  });
  return written;
}

const call = (id: number, name: string, given: object = {}, meta: object = {}) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name, arguments: given, ...meta },
});

describe("the server for assistants", () => {
  it("speaks the version that is asked for, or its newest", async () => {
    const initialize = (id: number, protocolVersion: string) => ({
      id,
      method: "initialize",
      params: { protocolVersion },
    });
    const answers = await answersTo([initialize(1, "2024-11-05"), initialize(2, "1999-01-01")]);
    expect(answers).toMatchObject([
      { jsonrpc: "2.0", id: 1, result: { protocolVersion: "2024-11-05", serverInfo: { name: "hopwise" } } },
      { id: 2, result: { protocolVersion: "2025-11-25" } },
    ]);
  });

  it("answers what is no request with an error of JSON-RPC, and goes on", async () => {
    const answers = await answersTo([
      "{",
      "[1]",
      { id: 1, method: "fly" },
      { id: 2, method: "__proto__" },
      call(3, "fly"),
      { id: 4, method: "ping" },
    ]);
    expect(answers).toMatchObject([
      { id: null, error: { code: -32700 } },
      { id: null, error: { code: -32700 } },
      { id: 1, error: { code: -32601 } },
      { id: 2, error: { code: -32601 } },
      { id: 3, error: { code: -32602, message: expect.stringContaining('no tool "fly"') } },
      { id: 4, result: {} },
    ]);
  });

  it("tells a model what is wrong with its arguments", async () => {
    const answers = await answersTo([
      call(1, "echo"),
      call(2, "echo", { text: 5 }),
      call(3, "echo", { text: "a", x: 1 }),
      call(4, "long", { text: "" }),
    ]);
    const said = answers.map(({ result }) => result as { isError: boolean; content: { text: string }[] });
    expect(said.map(({ isError }) => isError)).toEqual([true, true, true, true]);
    expect(said.map(({ content }) => JSON.parse(content[0]?.text ?? "").error.message)).toEqual([
      "missing: text",
      "text: found 5, expected string",
      'there is no argument "x"; there are text',
      expect.stringContaining("more than 200000"),
    ]);
  });

  it("tells progress to whoever asks for it, and does not answer what is cancelled", async () => {
    const meta = { _meta: { progressToken: "p" } };
    const cancel = { method: "notifications/cancelled", params: { requestId: 1 } };
    const answers = await answersTo([call(1, "endless", { text: "" }, meta), cancel, call(2, "echo", { text: "é" })]);
    expect(answers).toMatchObject([
      { method: "notifications/progress", params: { progressToken: "p", progress: 1, message: "begun" } },
      { id: 2, result: { content: [{ type: "text", text: '{"text":"é"}' }] } },
    ]);
  });

  it("ends on a line without end", async () => {
    await expect(answersTo(["x".repeat(5_000_000)])).rejects.toThrow(/more than 4 MiB/);
  });

  it("has no tool that deletes, and says of each whether it changes something", () => {
    const names = [...readTools, ...writeTools].map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => /delete|remove|revoke/.test(name))).toEqual([]);
    expect([readTools.every(({ isReadOnly }) => isReadOnly), writeTools.some(({ isReadOnly }) => isReadOnly)]).toEqual([
      true,
      false,
    ]);
  });
});
