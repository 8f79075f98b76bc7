import { AppError, type ImportProposalRequest, limits } from "@hopwise/contracts";
import type { DatabaseTable } from "@hopwise/gnn-core/spec";
import { requireRole, type Viewer } from "../auth/viewer.ts";
import { findProjectId } from "../projects/project-service.ts";
import type { Services } from "../services.ts";
import { at, placed } from "./import-row.ts";
import { openCredential } from "./source-credentials.ts";
import { databaseAddress, databaseUrl } from "./sql/database-address.ts";
import { loginOf } from "./sql/open-session.ts";
import { type ProposedQueries, proposeQueries, shown } from "./sql/tables/propose-queries.ts";
import { quotes, readTables } from "./sql/tables/read-tables.ts";

export interface ImportProposal extends ProposedQueries {
  /** The database, as an import names it. */
  readonly url: string;
}

/**
 * Looks into a database, and says by which queries its tables and foreign keys become files of a graph.
 *
 * @throws AppError IMPORT_ADDRESS, IMPORT_REFUSED, IMPORT_NOT_FOUND, IMPORT_QUERY, IMPORT_SOURCE, each with its place
 */
export async function proposeImport(
  services: Services,
  viewer: Viewer,
  { url, credential: name, project, tables: wanted }: ImportProposalRequest,
): Promise<ImportProposal> {
  requireRole(viewer, "EDITOR");
  const projectId = await findProjectId(services, viewer, project);
  const { guard, querySeconds } = services.imports;
  const address = at("/url", () => databaseAddress(url, guard));
  const credential = await openCredential(services, projectId, name).catch((error: unknown) => {
    throw placed(error, "/credential");
  });
  at("/credential", () => loginOf({ address, credential }));
  const found = await readTables({ address, credential, guard, querySeconds });
  const tables = wanted === undefined ? found : only(found, wanted);
  requireFew(tables);
  const proposed = proposeQueries(tables, quotes[address.engine]);
  if (proposed.files.length > limits.importProposedFiles)
    throw tooMany(`${proposed.files.length} files would be proposed, the most are ${limits.importProposedFiles}`);
  return { url: databaseUrl(address), ...proposed };
}

/** The tables that are named, with or without their schemas; what leads to others leads nowhere. */
function only(tables: readonly DatabaseTable[], wanted: readonly string[]): readonly DatabaseTable[] {
  const isCalled = (table: DatabaseTable, name: string) => table.name === name || shown(table) === name;
  const missing = wanted.findIndex((name) => !tables.some((table) => isCalled(table, name)));
  if (missing >= 0)
    throw new AppError(
      "IMPORT_NOT_FOUND",
      `The user of the credential may read no table "${wanted[missing]}" in this database.`,
      { place: { pointer: `/tables/${missing}` } },
    );
  const kept = tables.flatMap((table, i) => (wanted.some((name) => isCalled(table, name)) ? [i] : []));
  return kept.map((i) => ({
    ...tables[i]!,
    foreignKeys: tables[i]!.foreignKeys.map(({ target, ...key }) => {
      const now = target === null ? -1 : kept.indexOf(target);
      return { ...key, target: now < 0 ? null : now };
    }),
  }));
}

function requireFew(tables: readonly DatabaseTable[]): void {
  if (tables.length === 0)
    throw new AppError("IMPORT_NOT_FOUND", "The user of the credential may read no table in this database.");
  if (tables.length > limits.importTables)
    throw tooMany(`The database has ${tables.length} tables, and ${limits.importTables} are looked into at once`);
}

function tooMany(found: string): AppError {
  return new AppError("REQUEST_TOO_LARGE", `${found}; name those that are wanted.`, { place: { pointer: "/tables" } });
}
