import { SourceDatabase } from "../../imports/support/source-database.ts";

export const writer = { user: "scribe", password: "between us: s'e" };
export const writerSecret = `${writer.user}:${writer.password}`;

/** By which a test holds a write-back at a row: the transaction waits for whoever has this lock. */
const gate = 4711;

/** A PostgreSQL that results are written into, by one user with a password and rights in two schemas. */
export class TargetDatabase {
  readonly source: SourceDatabase;

  private constructor(source: SourceDatabase) {
    this.source = source;
  }

  static async start(): Promise<TargetDatabase> {
    const source = await SourceDatabase.start();
    await source.run(`
      CREATE ROLE scribe LOGIN PASSWORD '${writer.password.replaceAll("'", "''")}';
      CREATE SCHEMA results AUTHORIZATION scribe;
      GRANT CREATE ON SCHEMA public TO scribe;
      CREATE FUNCTION public.wait_at_gate() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN PERFORM pg_advisory_xact_lock(${gate}); RETURN NEW; END $$;
      CREATE FUNCTION public.wait_after_ddl() RETURNS event_trigger LANGUAGE plpgsql AS
        $$ BEGIN PERFORM pg_advisory_xact_lock(${gate}); END $$;
    `);
    return new TargetDatabase(source);
  }

  get url(): string {
    return this.source.url;
  }

  /** What its owner does. */
  run(sql: string): Promise<readonly Record<string, unknown>[]> {
    return this.source.run(sql);
  }

  /** From here on what waits at the gate waits, until the function that is returned is called. */
  async closeGate(): Promise<() => Promise<void>> {
    const client = await this.source.connect();
    await client.query(`SELECT pg_advisory_lock(${gate})`);
    return () => client.end();
  }

  /** Whether a transaction waits at the gate. */
  async isAtGate(): Promise<boolean> {
    const [row] = await this.run("SELECT count(*)::int AS n FROM pg_locks WHERE locktype = 'advisory' AND NOT granted");
    return Number(row?.["n"]) > 0;
  }

  /** Connections of write-backs. */
  async writers(): Promise<number> {
    const sql = "SELECT count(*)::int AS n FROM pg_stat_activity WHERE application_name = 'hopwise write-back'";
    return Number((await this.run(sql))[0]?.["n"]);
  }

  /** Ends them. */
  async cut(): Promise<void> {
    const whose = "application_name = 'hopwise write-back'";
    await this.run(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${whose}`);
  }

  stop(): Promise<void> {
    return this.source.stop();
  }
}
