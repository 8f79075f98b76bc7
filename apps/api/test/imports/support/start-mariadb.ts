import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../../../../test/support/stack.ts";

const program = "/usr/sbin/mariadbd";
const share = "/usr/share/mysql";

export const isMariaDbInstalled = existsSync(program) && existsSync(join(share, "mysql_system_tables.sql"));

/** A throw-away MariaDB that is imported from: over TCP. */
export interface TestMariaDb {
  readonly host: string;
  stop(): Promise<void>;
}

/** With which a server encrypts connections */
export interface ServerCertificate {
  readonly key: Buffer;
  readonly cert: Buffer;
}

/**
 * @param sql what it has, with its users; one statement a line
 * @param certificate left out: connections are not encrypted
 */
export async function startMariaDb(sql: string, certificate?: ServerCertificate): Promise<TestMariaDb> {
  const folder = mkdtempSync(join(tmpdir(), "hopwise-mariadb-"));
  chmodSync(folder, 0o700);
  const port = await freePort();
  const tables = ["mysql_system_tables.sql", "mysql_system_tables_data.sql"].map((name) =>
    readFileSync(join(share, name), "utf8"),
  );
  const common = ["--no-defaults", `--datadir=${folder}`, `--lc-messages-dir=${share}`];
  const small = ["--innodb-log-file-size=5M", "--innodb-flush-log-at-trx-commit=0", "--user=root"];
  const made = spawnSync(program, [...common, ...small, "--bootstrap"], {
    input: ["CREATE DATABASE mysql;", "USE mysql;", ...tables, "FLUSH PRIVILEGES;", sql].join("\n"),
    encoding: "utf8",
  });
  if (made.status !== 0) throw new Error(made.stderr);
  const network = [`--socket=${folder}/socket`, "--bind-address=127.0.0.1", `--port=${port}`, "--skip-name-resolve"];
  const tls = Object.entries(certificate ?? {}).map(([name, content]) => {
    const path = join(folder, `server-${name}.pem`);
    writeFileSync(path, content, { mode: 0o600 });
    return `--ssl-${name}=${path}`;
  });
  const encryption = certificate ? tls : ["--skip-ssl"];
  const server: ChildProcess = spawn(program, [...common, ...small, ...network, ...encryption], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  await new Promise<void>((resolve, reject) => {
    let said = "";
    server.stderr?.on("data", (text: Buffer) => {
      said += String(text);
      if (said.includes("ready for connections")) resolve();
    });
    server.once("exit", (code) => reject(new Error(`mariadbd ended with ${code}: ${said.slice(-2000)}`)));
  });
  return {
    host: `127.0.0.1:${port}`,
    stop: async () => {
      const gone = once(server, "exit");
      server.kill("SIGTERM");
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
