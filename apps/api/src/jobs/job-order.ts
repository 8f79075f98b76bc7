import type { JobSortKey } from "@hopwise/contracts";
import type { Job, Prisma } from "../generated/prisma/client.ts";

export interface JobSort {
  readonly by: JobSortKey;
  readonly isDescending: boolean;
}

interface SortColumn {
  /** From the job's row: a column, or one of a row that it always has. */
  readonly path: readonly string[];
  /** Jobs without a value come last, whichever way the list goes. */
  readonly isNullable: boolean;
}

const columns: Readonly<Record<JobSortKey, SortColumn>> = {
  submitted: { path: ["createdAt"], isNullable: false },
  name: { path: ["name"], isNullable: false },
  owner: { path: ["creator", "name"], isNullable: false },
  dataset: { path: ["datasetName"], isNullable: true },
  model: { path: ["modelType"], isNullable: true },
  ranks: { path: ["numRanks"], isNullable: true },
  result: { path: ["result"], isNullable: true },
};

/** Where a job stands in a list, with what it may be sorted by. */
export type JobPlace = Job & { readonly creator: { readonly name: string } };

/** How a list is sorted: by its column, and by id among equals, so that pages follow each other. */
export function orderOf({ by, isDescending }: JobSort): Prisma.JobOrderByWithRelationInput[] {
  const { path, isNullable } = columns[by];
  const sort = isDescending ? "desc" : "asc";
  return [nested(path, isNullable ? { sort, nulls: "last" } : sort), { id: sort }];
}

/** What comes after a job in a list that is sorted so. */
export function beyondJob(place: JobPlace, { by, isDescending }: JobSort): Prisma.JobWhereInput {
  const { path, isNullable } = columns[by];
  const side = (value: unknown) => (isDescending ? { lt: value } : { gt: value });
  const value = path.reduce<unknown>((found, name) => (found as Record<string, unknown>)[name], place);
  const amongEquals = { ...nested(path, value), id: side(place.id) } as Prisma.JobWhereInput;
  if (value === null) return amongEquals;
  const withoutValue = isNullable ? [nested(path, null)] : [];
  return { OR: [nested(path, side(value)), amongEquals, ...withoutValue] };
}

function nested(path: readonly string[], value: unknown): Record<string, unknown> {
  return path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as Record<string, unknown>;
}
