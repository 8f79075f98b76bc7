import * as db from "../../generated/prisma/enums.ts";
import { builder } from "../base/builder.ts";

export const RoleEnum = builder.enumType(db.Role, { name: "Role" });
export const DatasetStateEnum = builder.enumType(db.DatasetState, { name: "DatasetState" });
export const JobStateEnum = builder.enumType(db.JobState, { name: "JobState" });
export const AttemptStateEnum = builder.enumType(db.AttemptState, { name: "AttemptState" });
export const StageStateEnum = builder.enumType(db.StageState, { name: "StageState" });
export const MemberStateEnum = builder.enumType(db.MemberState, { name: "RankState" });
export const MemberKindEnum = builder.enumType("MemberKind", {
  values: {
    RANK: { value: "rank", description: "Runs the step; ranks are counted from 0" },
    SAMPLER: { value: "sampler", description: "Draws batches for the ranks; counted from 0 by itself" },
  } as const,
});
export const WorkerStateEnum = builder.enumType(db.WorkerState, { name: "WorkerState" });
export const IdTypeEnum = builder.enumType("IdType", {
  values: { INT64: { value: "int64" }, STRING: { value: "string" } } as const,
});
export const LogLevelEnum = builder.enumType("LogLevel", {
  values: {
    DEBUG: { value: "debug" },
    INFO: { value: "info" },
    WARN: { value: "warn" },
    ERROR: { value: "error" },
  } as const,
});
