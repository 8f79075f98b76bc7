import { newSecret } from "../auth/tokens.ts";
import type { PrismaClient } from "../generated/prisma/client.ts";

/** A secret of 256 bits that all processes of the API share: in the database, made by the first that asks. */
export async function serviceSecret(prisma: PrismaClient, name: string): Promise<string> {
  await prisma.serviceSecret.createMany({ data: [{ name, value: newSecret("hwk") }], skipDuplicates: true });
  return (await prisma.serviceSecret.findUniqueOrThrow({ where: { name } })).value;
}
