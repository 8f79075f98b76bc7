import { AppError } from "@hopwise/contracts";
import { noSuchVersion } from "../auth/no-such-version.ts";
import { notFound } from "../auth/viewer.ts";
import type { Prisma, PrismaClient } from "../generated/prisma/client.ts";

export type VersionToApply = Prisma.ModelVersionGetPayload<{ include: { artifact: true } }>;

/**
 * The version that a job names: `papers@3`; of `papers` the one in production, else the newest candidate. `ref`
 * names it for good.
 *
 * @throws AppError REQUEST_NOT_FOUND, JOB_SPEC_INVALID when every version of the model is archived and none is named
 */
export async function versionToApply(
  prisma: PrismaClient,
  projectId: string,
  asked: string,
  pointer = "/model",
): Promise<{ version: VersionToApply; ref: string }> {
  const [, name = "", number] = /^(.*?)(?:@(\d{1,9}))?$/.exec(asked) ?? [];
  const model = await prisma.registeredModel.findUnique({ where: { projectId_name: { projectId, name } } });
  if (!model) throw notFound("model", name);
  const newest = (which: Prisma.ModelVersionWhereInput) =>
    prisma.modelVersion.findFirst({
      where: { modelId: model.id, ...which },
      orderBy: { number: "desc" },
      include: { artifact: true },
    });
  const version =
    number === undefined
      ? ((await newest({ stage: "PRODUCTION" })) ?? (await newest({ stage: "CANDIDATE" })))
      : await newest({ number: Number(number) });
  if (version) return { version, ref: `${name}@${version.number}` };
  if (number !== undefined) throw noSuchVersion("model", name, Number(number), await numbersOf(prisma, model.id));
  throw allArchived("JOB_SPEC_INVALID", name, await numbersOf(prisma, model.id), pointer);
}

/** Numbers of a model's versions, the newest first. */
export async function numbersOf(prisma: PrismaClient, modelId: string): Promise<number[]> {
  const where = { modelId };
  const found = await prisma.modelVersion.findMany({ where, orderBy: { number: "desc" }, select: { number: true } });
  return found.map(({ number }) => number);
}

/** No version of a model is one that its name alone could mean. */
export function allArchived(
  code: "JOB_SPEC_INVALID" | "REQUEST_NOT_FOUND",
  name: string,
  [newest]: readonly number[],
  pointer: string,
): AppError {
  const next = newest === undefined ? "keep one first" : `name one, such as ${name}@${newest}, or promote one`;
  const message = `${pointer}: No version of "${name}" is in production or a candidate; ${next}.`;
  return new AppError(code, message, { place: { pointer } });
}

/**
 * For the transaction that writes a job: from there on the job keeps the model, and one that was deleted a moment ago
 * is not taken up again.
 *
 * @throws AppError REQUEST_CONFLICT
 */
export async function requireStillKept(tx: Prisma.TransactionClient, versionId: string, ref: string): Promise<void> {
  if (await tx.modelVersion.findUnique({ where: { id: versionId } })) return;
  throw new AppError("REQUEST_CONFLICT", `The version ${ref} has just been deleted; choose another one.`);
}
