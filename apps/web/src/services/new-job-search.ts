/** What a new job starts from: a dataset, or the settings of an earlier job, perhaps with what that has learnt. */
export interface NewJobSearch {
  readonly dataset?: string;
  /** Id of the earlier job */
  readonly from?: string;
  /** Id of a checkpoint of it, after which training goes on */
  readonly checkpoint?: string;
  /** On the same version of the dataset, so that what its stages made is reused */
  readonly again?: true;
  /** The number of epochs, in place of the earlier job's */
  readonly epochs?: number;
  /** name@number of the kept model whose weights it begins with */
  readonly model?: string;
}

/** What of an address's parameters the page understands. */
export function readNewJobSearch(search: Record<string, unknown>): NewJobSearch {
  const { dataset, from, checkpoint, again, epochs, model } = search;
  return {
    ...(typeof dataset === "string" && { dataset }),
    ...(typeof from === "string" && { from }),
    ...(typeof checkpoint === "string" && { checkpoint }),
    ...((again === true || again === "true") && { again: true as const }),
    ...(Number.isSafeInteger(Number(epochs)) && Number(epochs) > 0 && { epochs: Number(epochs) }),
    ...(typeof model === "string" && { model }),
  };
}
