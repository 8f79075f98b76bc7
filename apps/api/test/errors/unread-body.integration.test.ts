import { Agent, request } from "node:http";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, it } from "vitest";
import { useApp } from "../support/each-database.ts";
import { createDataset } from "../support/fixtures.ts";

describe("an upload that is refused before its end", () => {
  const app = useApp();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  afterEach(() => agent.destroy());

  /** By the one connection of the agent. */
  function ask(method: string, path: string, body?: string): Promise<{ status: number; text: string }> {
    return new Promise((resolve, reject) => {
      const place = app().server.server.address();
      const port = typeof place === "object" && place ? place.port : 0;
      const headers = {
        authorization: `Bearer ${app().adminKey}`,
        ...(body === undefined ? {} : { "content-type": "multipart/form-data; boundary=edge" }),
      };
      const sent = request({ host: "127.0.0.1", port, method, path, headers, agent }, (answer) => {
        text(answer).then((got) => resolve({ status: answer.statusCode ?? 0, text: got }), reject);
      });
      sent.on("error", reject);
      sent.end(body);
    });
  }

  it.each([1e5, 9e5, 2e7])(
    "leaves its connection to the next request, with %d bytes unread",
    async (bytes) => {
      const dataset = await createDataset(app());
      const part = (name: string, content: string) =>
        `--edge\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n${content}\r\n`;
      const body = `${part("../up.csv", "x")}${part("edges.csv", "y".repeat(bytes))}--edge--\r\n`;
      const refused = await ask("POST", `/v1/datasets/${dataset}/files`, body);
      expect(JSON.parse(refused.text)).toMatchObject({ code: "DATASET_FILE_NAME" });
      expect((await ask("GET", "/healthz")).status).toBe(200);
    },
    20_000,
  );

  it.each(["nonsense", "form-data"])(
    "is answered when a long part of it is no file, but %s",
    async (disposition) => {
      const dataset = await createDataset(app());
      const body = `--edge\r\nContent-Disposition: ${disposition}\r\n\r\n${"x".repeat(1e5)}\r\n--edge--\r\n`;
      const refused = await ask("POST", `/v1/datasets/${dataset}/files`, body);
      expect(refused.status).toBeGreaterThanOrEqual(400);
      expect(refused.status).toBeLessThan(500);
      expect((await ask("GET", "/healthz")).status).toBe(200);
    },
    20_000,
  );
});
