import { z } from "zod";
import { type Member, memberKind, memberName } from "../jobs/member.ts";

/** What clients are told of the fields that name a member. */
export const shownMemberText = {
  member: "Name: `0` of rank 0, `sampler 0` of the first process that draws batches for the ranks",
  rank: "null: it is a sampler process, and no rank",
  rankOrNone: "null: a sampler process, or no single member",
} as const;

const name = z.string().describe(shownMemberText.member);
const number = z.number().int().nullable();

/** The fields by which clients are told of a member. */
export const shownMember = { member: name, memberKind, rank: number.describe(shownMemberText.rank) };
export type ShownMember = Readonly<z.infer<z.ZodObject<typeof shownMember>>>;

/** These fields where there may be no member. */
export const shownMemberOrNone = {
  member: name.nullable(),
  memberKind: memberKind.nullable(),
  rank: number.describe(shownMemberText.rankOrNone),
};
export type ShownMemberOrNone = Readonly<z.infer<z.ZodObject<typeof shownMemberOrNone>>>;

export function showMember({ kind, index }: Member): ShownMember {
  return { member: memberName({ kind, index }), memberKind: kind, rank: kind === "rank" ? index : null };
}

export function showMemberOrNone(member: Member | null): ShownMemberOrNone {
  return member ? showMember(member) : { member: null, memberKind: null, rank: null };
}
