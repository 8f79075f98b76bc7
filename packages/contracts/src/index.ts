/** What the engine owns of what travels: how uploaded files become a graph, and what manifests say of artifacts. */
export {
  type ArtifactInfo,
  type ArtifactKind,
  artifactInfos,
  type DatasetSpec,
  type DatasetSpecInput,
  datasetSpec,
  type EdgesSection,
  type NodesSection,
} from "@hopwise/gnn-core/spec";
export * from "./artifact-ref.ts";
export * from "./canonical-json.ts";
export * from "./errors/codes.ts";
export * from "./errors/problem.ts";
export * from "./errors/schema-issue.ts";
export * from "./events/job-event.ts";
export * from "./events/stage-event.ts";
export * from "./events/worker-event.ts";
export { columnLayout } from "./jobs/column-layout.ts";
export * from "./jobs/freeze-objection.ts";
export * from "./jobs/graph-form.ts";
export * from "./jobs/graph-objection.ts";
export * from "./jobs/infer-spec.ts";
export * from "./jobs/job-spec.ts";
export * from "./jobs/job-state.ts";
export * from "./jobs/learned-rows-objection.ts";
export * from "./jobs/matched-rows-text.ts";
export * from "./jobs/member.ts";
export * from "./jobs/model-objection.ts";
export * from "./jobs/model-ref.ts";
export * from "./jobs/resolve-job-spec.ts";
export * from "./jobs/stage-key.ts";
export * from "./jobs/stage-slice.ts";
export * from "./jobs/stage-task.ts";
export * from "./jobs/start-objection.ts";
export * from "./jobs/sweep-request.ts";
export * from "./jobs/task-objection.ts";
export * from "./jobs/task-reads.ts";
export * from "./jobs/terminal-states.ts";
export { typesAsLearnt } from "./jobs/types-as-learnt.ts";
export { unreadByModel } from "./jobs/unread-by-model.ts";
export * from "./jobs/uploaded-model.ts";
export { addedRowsNote, withRowsToRead } from "./jobs/with-rows-to-read.ts";
export * from "./limits.ts";
export * from "./redis/keys.ts";
export * from "./redis/worker-user.ts";
export * from "./redis/write-refusal.ts";
export * from "./rest/index.ts";
export * from "./serving/serve-calls.ts";
export * from "./store/grants.ts";
export * from "./version.ts";
export * from "./workers/addresses.ts";
export * from "./workers/announcement.ts";
export * from "./workers/device.ts";
export * from "./workers/doctor.ts";
export * from "./workers/worker-id.ts";
export * from "./workers/worker-log.ts";
