import type { ModelStage } from "@hopwise/contracts";
import type { ModelStage as StoredStage } from "../generated/prisma/client.ts";

const shown = { CANDIDATE: "candidate", PRODUCTION: "production", ARCHIVED: "archived" } as const;
const stored = { candidate: "CANDIDATE", production: "PRODUCTION", archived: "ARCHIVED" } as const;

/** A stage as it is asked for and shown. */
export function shownStage(stage: StoredStage): ModelStage {
  return shown[stage];
}

/** A stage as the database has it. */
export function storedStage(stage: ModelStage): StoredStage {
  return stored[stage];
}
