import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { until } from "../../../../test/support/until.ts";
import { OwnAuthority } from "../store/support/tls-proxy.ts";
import { isPostgresInstalled } from "../support/start-postgres.ts";
import { reader, SourceDatabase } from "./support/source-database.ts";

const program = fileURLToPath(new URL("support/ask-database.mjs", import.meta.url));
const run = promisify(execFile);

describe.skipIf(!isPostgresInstalled)("a database whose connections are encrypted", () => {
  const dirs: string[] = [];
  let database: SourceDatabase;
  let own: OwnAuthority;
  let stranger: OwnAuthority;

  const authority = (names: string) => {
    const dir = mkdtempSync(join(tmpdir(), "hopwise-ca-"));
    dirs.push(dir);
    return new OwnAuthority(dir, names);
  };
  beforeAll(async () => {
    [own, stranger] = [authority("DNS:localhost"), authority("DNS:localhost")];
    database = await SourceDatabase.start();
  });
  afterAll(async () => {
    await database?.stop();
    for (const dir of dirs) rmSync(dir, { recursive: true, force: true });
  });

  /** The cipher of the connection as the server has it, or what the import is refused with. */
  async function ask(host: string, { file }: Pick<OwnAuthority, "file">): Promise<unknown> {
    const url = `postgresql://${host}:${database.port}/postgres`;
    const query = "SELECT ssl, version FROM pg_stat_ssl WHERE pid = pg_backend_pid()";
    const { PATH = "" } = process.env;
    const env = { PATH, NODE_EXTRA_CA_CERTS: file };
    const secret = `${reader.user}:${reader.password}`;
    return JSON.parse((await run(process.execPath, [program, url, secret, query], { env })).stdout);
  }

  it("is refused while it does not encrypt", async () => {
    expect(await ask("localhost", own)).toMatchObject({
      code: "IMPORT_SOURCE",
      detail: expect.stringMatching(/does not encrypt/),
    });
  });

  it("is asked by TLS where its certificate is the host's and by a known authority", async () => {
    await database.encrypt(own.certificate);
    const isOn = async () => (await database.run("SHOW ssl"))[0]?.["ssl"] === "on";
    await until("the server to take the certificate", isOn);
    expect(await ask("localhost", own)).toEqual({ rows: [["t", "TLSv1.3"]] });
  });

  it("is refused with a certificate by somebody else, and with one for another host, by name or number", async () => {
    const refusal = (detail: RegExp) => ({ code: "IMPORT_SOURCE", detail: expect.stringMatching(detail) });
    expect(await ask("localhost", stranger)).toMatchObject(refusal(/not trusted/));
    expect(await ask("127.0.0.1", own)).toMatchObject(refusal(/not trusted .*ALTNAME/));
    await database.encrypt(authority("DNS:db.elsewhere.example").certificate);
    const other = { file: join(dirs.at(-1) ?? "", "ca.pem") };
    await until("the server to show it", async () => JSON.stringify(await ask("localhost", other)).includes("ALTNAME"));
  });

  it("is asked by its number where the certificate has that", async () => {
    const numbered = authority("IP:127.0.0.1");
    await database.encrypt(numbered.certificate);
    await until("the server to show it", async () => "rows" in ((await ask("127.0.0.1", numbered)) as object));
    expect(await ask("localhost", numbered)).toMatchObject({
      code: "IMPORT_SOURCE",
      detail: expect.stringMatching(/ALTNAME/),
    });
  });
});
