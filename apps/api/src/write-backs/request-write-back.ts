import { AppError, limits, type WriteBackRequest } from "@hopwise/contracts";
import { requireRole, type Viewer } from "../auth/viewer.ts";
import { newId } from "../database/ids.ts";
import type { Job, WriteBack } from "../generated/prisma/client.ts";
import { openCredential } from "../imports/source-credentials.ts";
import { type DatabaseAddress, databaseAddress, databaseUrl } from "../imports/sql/database-address.ts";
import { loginOf } from "../imports/sql/open-session.ts";
import { usualColumns } from "../jobs/downloads.ts";
import { getJob } from "../jobs/job-queries.ts";
import { exportJobFor } from "../jobs/request-export.ts";
import type { Services } from "../services.ts";
import { exportOf, findExportedTable } from "./exported-table.ts";
import { quoted } from "./sql/identifier.ts";
import { renamed } from "./sql/write-failure.ts";

/**
 * Has a job's results written into a table of a PostgreSQL. Rows that have not been exported yet are, by a job.
 *
 * @throws AppError AUTH_FORBIDDEN, WRITE_BACK_ADDRESS, WRITE_BACK_REFUSED, WRITE_BACK_TABLE for names that cannot be,
 * REQUEST_CONFLICT for too many write-backs of the project or a job that has not succeeded, JOB_WITHOUT_RESULTS
 */
export async function requestWriteBack(
  services: Services,
  viewer: Viewer,
  jobId: string,
  request: WriteBackRequest,
): Promise<WriteBack> {
  requireRole(viewer, "EDITOR");
  const job = await getJob(services, viewer, jobId);
  const address = await at("/url", () => addressOf(services, request.url));
  await at("/credential", async () => {
    const credential = await openCredential(services, job.projectId, request.credential);
    loginOf({ address, credential }, "databaseWrite");
  });
  await checkNames(request);
  await requireFew(services, job.projectId);
  const exporting = await exportingJob(services, viewer, job, request);
  const { credential, schema, table, output, columns, vector, mode } = request;
  const { prisma, writer } = services;
  const made = await prisma.writeBack.create({
    data: {
      id: newId("wb"),
      projectId: job.projectId,
      jobId: job.id,
      createdBy: viewer.userId,
      url: databaseUrl(address),
      credential,
      schema,
      table,
      output,
      columns,
      vector,
      mode,
      nodeType: request.nodeType ?? null,
      exportJobId: exporting?.id ?? null,
      waitReason: exporting ? `The job ${exporting.id} makes the rows first.` : null,
    },
  });
  writer.wake();
  return made;
}

/** The job that makes the rows; null: they are there. */
async function exportingJob(
  services: Services,
  viewer: Viewer,
  job: Job,
  { output, nodeType }: WriteBackRequest,
): Promise<Job | null> {
  if (await findExportedTable(services, job.id, output, nodeType ?? null)) return null;
  return exportJobFor(services, viewer, job, { kind: exportOf(output), format: "pgcopy", columns: usualColumns });
}

/** Where rows may be written to. @throws AppError IMPORT_ADDRESS */
export function addressOf({ imports }: Services, url: string): DatabaseAddress {
  const address = databaseAddress(url, imports.guard);
  if (address.engine === "postgresql") return address;
  throw new AppError("WRITE_BACK_ADDRESS", "Rows are written into PostgreSQL alone; expected postgresql://….");
}

async function checkNames({ schema, table, columns }: WriteBackRequest): Promise<void> {
  await at("/schema", () => {
    quoted(schema);
    if (/^pg_|^information_schema$/i.test(schema))
      throw new AppError("WRITE_BACK_TABLE", `The schema ${schema} is PostgreSQL's own; name another one.`);
  });
  await at("/table", () => quoted(table));
  for (const [name, to] of Object.entries(columns)) await at(`/columns/${name}`, () => quoted(to));
}

/** Adds the place in the request to what is thrown, in the words of a write-back. */
async function at<T>(pointer: string, read: () => T | Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const own = renamed(error);
    if (!(own instanceof AppError)) throw own;
    const { code, detail } = own.problem;
    throw new AppError(code as "WRITE_BACK_ADDRESS", detail, { cause: error, place: { pointer } });
  }
}

async function requireFew({ prisma }: Services, projectId: string): Promise<void> {
  const active = await prisma.writeBack.count({ where: { projectId, state: { in: ["WAITING", "RUNNING"] } } });
  if (active < limits.writeBacksPerProject) return;
  throw new AppError(
    "REQUEST_CONFLICT",
    `${active} write-backs of the project wait or run, which is as many as may; wait for one of them, or cancel it.`,
  );
}
