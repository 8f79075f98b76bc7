import { z } from "zod";

/** A rank runs the step; a sampler process draws batches for the ranks. */
export const memberKind = z.enum(["rank", "sampler"]);
export type MemberKind = z.infer<typeof memberKind>;

/** Far more than any stage has, and what a database's integer holds. */
const maxIndex = 2 ** 31 - 1;

/** One process of those that run a stage together. Each kind is counted from 0 by itself: rank 0, rank 1, sampler 0. */
export const member = z.object({ kind: memberKind, index: z.number().int().nonnegative().max(maxIndex) });
export type Member = Readonly<z.infer<typeof member>>;

/** Rank 0 speaks for the others: it tells progress and metrics, and what the step has written. */
export const leadRank: Member = { kind: "rank", index: 0 };

export function isLeadRank({ kind, index }: Member): boolean {
  return kind === leadRank.kind && index === leadRank.index;
}

/** `0` for a rank, `sampler 0` for a sampler process: unique among the members of a stage. */
export function memberName({ kind, index }: Member): string {
  return kind === "rank" ? String(index) : `${kind} ${index}`;
}

/** The name at the beginning of a sentence: `Rank 0`, `Sampler 0`. */
export function memberTitle({ kind, index }: Member): string {
  return `${kind === "rank" ? "Rank" : "Sampler"} ${index}`;
}

/** The reverse of `memberName`; null for a name that is not one. */
export function parseMemberName(name: string): Member | null {
  const [, prefix, index] = /^(sampler )?(0|[1-9]\d{0,9})$/.exec(name) ?? [];
  const parsed = member.safeParse({ kind: prefix === undefined ? "rank" : "sampler", index: Number(index) });
  return parsed.success ? parsed.data : null;
}
