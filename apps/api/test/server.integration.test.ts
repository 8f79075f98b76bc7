import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const program = fileURLToPath(new URL("../dist/server.js", import.meta.url));

it("ends with exit code 1 and the reason when it cannot listen", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const address = other.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const data = mkdtempSync(join(tmpdir(), "hopwise-api-"));
  const env = { PATH: process.env["PATH"], HOPWISE_DATA: data, HOPWISE_PORT: String(port) };
  const child = spawn(process.execPath, [program], { env, stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  try {
    await once(child, "close");
    expect(child.exitCode).toBe(1);
    expect(said).toMatch(
      /Cannot listen on 127\.0\.0\.1, port \d+ \(EADDRINUSE\)\. Stop what listens there or set HOPWISE_PORT\./,
    );
  } finally {
    child.kill("SIGKILL");
    other.close();
    rmSync(data, { recursive: true, force: true });
  }
});
