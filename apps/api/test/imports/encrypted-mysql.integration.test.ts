import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { OwnAuthority } from "../store/support/tls-proxy.ts";
import { isMariaDbInstalled, startMariaDb, type TestMariaDb } from "./support/start-mariadb.ts";

const program = fileURLToPath(new URL("support/ask-database.mjs", import.meta.url));
const run = promisify(execFile);
const setUp = `
CREATE DATABASE shop;
CREATE USER 'reader'@'%' IDENTIFIED BY 'pass:word' REQUIRE SSL;
GRANT ALL ON shop.* TO 'reader'@'%';
`;

describe.skipIf(!isMariaDbInstalled)("a MariaDB whose connections are encrypted", () => {
  const dirs: string[] = [];
  const servers: TestMariaDb[] = [];
  let own: OwnAuthority;
  let stranger: OwnAuthority;
  let port: string;

  const authority = (names: string) => {
    const dir = mkdtempSync(join(tmpdir(), "hopwise-ca-"));
    dirs.push(dir);
    return new OwnAuthority(dir, names);
  };
  const started = async (sql: string, { certificate }: Pick<OwnAuthority, "certificate">) => {
    const server = await startMariaDb(sql, certificate);
    servers.push(server);
    return server.host.split(":")[1] as string;
  };
  beforeAll(async () => {
    [own, stranger] = [authority("DNS:localhost"), authority("DNS:localhost")];
    port = await started(setUp, own);
  });
  afterAll(async () => {
    for (const server of servers) await server.stop();
    for (const dir of dirs) rmSync(dir, { recursive: true, force: true });
  });

  /** The cipher of the connection as the server has it, or what the import is refused with. */
  async function ask(at: string, { file }: Pick<OwnAuthority, "file">, more = ""): Promise<unknown> {
    const { PATH = "" } = process.env;
    const env = { PATH, NODE_EXTRA_CA_CERTS: file };
    const args = [program, `mysql://${at}/shop${more}`, "reader:pass:word", "SHOW STATUS LIKE 'Ssl_version'"];
    return JSON.parse((await run(process.execPath, args, { env })).stdout);
  }

  it("is asked by TLS where its certificate is the host's and by a known authority", async () => {
    expect(await ask(`localhost:${port}`, own)).toEqual({ rows: [["Ssl_version", "TLSv1.3"]] });
  });

  it("takes nobody without TLS whom it wants to come with it, and says no more than that", async () => {
    expect(await ask(`127.0.0.1:${port}`, own, "?sslmode=disable")).toMatchObject({ code: "IMPORT_REFUSED" });
  });

  it("is refused with a certificate by somebody else, and with one for another host", async () => {
    const refusal = (detail: RegExp) => ({ code: "IMPORT_SOURCE", detail: expect.stringMatching(detail) });
    expect(await ask(`localhost:${port}`, stranger)).toMatchObject(refusal(/not trusted .*NODE_EXTRA_CA_CERTS/));
    const elsewhere = authority("DNS:db.elsewhere.example");
    const other = await started(setUp, elsewhere);
    expect(await ask(`localhost:${other}`, elsewhere)).toMatchObject(refusal(/not trusted .*altnames/));
  });

  it("is named as its certificate names it, not by a number", async () => {
    const said = { code: "IMPORT_ADDRESS", detail: expect.stringContaining("host is a number") };
    expect(await ask(`127.0.0.1:${port}`, own)).toMatchObject(said);
  });
});
