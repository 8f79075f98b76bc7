import { chmodSync, chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { freePort } from "../../../../../test/support/stack.ts";
import { startPostgres, type TestPostgres } from "../../support/start-postgres.ts";

export const reader = { user: "reader", password: "between us: p'w" };

/** A PostgreSQL that is imported from: over TCP, for one user with a password. */
export class SourceDatabase {
  readonly port: number;
  readonly server: TestPostgres;
  readonly #hba: string;

  private constructor(port: number, server: TestPostgres, hba: string) {
    this.port = port;
    this.server = server;
    this.#hba = hba;
  }

  static async start(): Promise<SourceDatabase> {
    const port = await freePort();
    const hba = mkdtempSync(join(tmpdir(), "hopwise-hba-"));
    chmodSync(hba, 0o755);
    const file = join(hba, "pg_hba.conf");
    writeFileSync(file, "local all all trust\nhost all all 127.0.0.1/32 scram-sha-256\n");
    const settings = [`port=${port}`, "listen_addresses=127.0.0.1", `hba_file=${file}`];
    const server = await startPostgres(settings.flatMap((setting) => ["-c", setting]));
    const found = new SourceDatabase(port, server, hba);
    await found.run(`CREATE ROLE reader LOGIN PASSWORD '${reader.password.replaceAll("'", "''")}'`);
    await found.run("GRANT pg_read_all_data TO reader");
    return found;
  }

  /** From here on connections may be encrypted. */
  async encrypt({ key, cert }: { readonly key: Buffer; readonly cert: Buffer }): Promise<void> {
    const data = join(this.server.folder, "data");
    const { uid, gid } = statSync(data);
    for (const [name, content] of Object.entries({ "server.key": key, "server.crt": cert })) {
      writeFileSync(join(data, name), content, { mode: 0o600 });
      chownSync(join(data, name), uid, gid);
    }
    await this.run("ALTER SYSTEM SET ssl = on");
    await this.run("SELECT pg_reload_conf()");
  }

  get host(): string {
    return `127.0.0.1:${this.port}`;
  }

  get url(): string {
    return `postgresql://${this.host}/postgres?sslmode=disable`;
  }

  /** A connection of its owner, past the password. */
  async connect(): Promise<Client> {
    const client = new Client({ host: this.server.folder, port: this.port, user: "hopwise", database: "postgres" });
    await client.connect();
    return client;
  }

  /** What its owner does, past the password. */
  async run(sql: string): Promise<readonly Record<string, unknown>[]> {
    const client = await this.connect();
    try {
      return (await client.query<Record<string, unknown>>(sql)).rows;
    } finally {
      await client.end();
    }
  }

  /** Backends that are at work for an import now. */
  async importers(): Promise<number> {
    const sql = "SELECT count(*)::int AS n FROM pg_stat_activity WHERE application_name = 'hopwise import'";
    return Number((await this.run(sql))[0]?.["n"]);
  }

  /** Ends the connections of imports. */
  async cut(): Promise<void> {
    const whose = "application_name = 'hopwise import'";
    await this.run(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${whose}`);
  }

  async stop(): Promise<void> {
    await this.server.stop();
    rmSync(this.#hba, { recursive: true, force: true });
  }
}
