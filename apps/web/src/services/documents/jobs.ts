import { graphql } from "../graphql.ts";

/** GraphQL documents of lists of jobs, and what is done to one. */

export const jobsQuery = graphql(`
  query Jobs($filter: JobFilter, $sort: JobSort, $first: Int, $after: String) {
    jobs(filter: $filter, sort: $sort, first: $first, after: $after) {
      edges { node { id name kind state starred tags datasetName modelType numRanks createdBy { name } createdAt startedAt finishedAt model { metrics } task { chiefMetric metrics { name title shownAs } } stages { kind state cached completed total unit phase } } }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

export const cancelJobMutation = graphql(`
  mutation CancelJob($id: ID!) { cancelJob(id: $id) { id state } }
`);

export const starJobMutation = graphql(`
  mutation StarJob($id: ID!, $starred: Boolean!) { markJob(id: $id, starred: $starred) { id starred } }
`);

export const noteJobMutation = graphql(`
  mutation NoteJob($id: ID!, $note: String!) { markJob(id: $id, note: $note) { id note } }
`);

export const tagJobMutation = graphql(`
  mutation TagJob($id: ID!, $tags: JSON!) { markJob(id: $id, tags: $tags) { id tags } }
`);

export const retryJobMutation = graphql(`
  mutation RetryJob($id: ID!, $from: RetryFrom, $epochs: Int, $maxDuration: String, $idempotencyKey: String) {
    retryJob(id: $id, from: $from, epochs: $epochs, maxDuration: $maxDuration, idempotencyKey: $idempotencyKey) { id }
  }
`);

export const deleteJobMutation = graphql(`
  mutation DeleteJob($id: ID!) { deleteJob(id: $id) }
`);

export const setJobPriorityMutation = graphql(`
  mutation SetJobPriority($id: ID!, $priority: Int!) { setJobPriority(id: $id, priority: $priority) { id priority } }
`);
