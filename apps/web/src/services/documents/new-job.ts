import { graphql } from "../graphql.ts";

/** GraphQL documents of the form of a new job. */

export const readyDatasetsQuery = graphql(`
  query ReadyDatasets {
    datasets(first: 200) {
      edges { node { id name latest { id state } newestReady { id number spec tasks { label type task } } } }
    }
  }
`);

export const proposedPresetQuery = graphql(`
  query ProposedPreset($dataset: ID!, $task: JSON) {
    dataset(id: $dataset) {
      id
      newestReady {
        id
        proposedPreset(task: $task) {
          reason
          preset { name situation title summary spec }
          others { name situation title summary spec }
        }
      }
    }
  }
`);

export const catalogQuery = graphql(`
  query Catalog {
    catalog {
      components { kind name version title summary reference optionsSchema }
      jobSpecSchema
    }
    workers { state compatible devices { kind } }
  }
`);

export const estimateQuery = graphql(`
  query Estimate($spec: JobSpecInput!) {
    estimateJob(spec: $spec) {
      fits ranks memoryBytesPerRank memoryBytes diskBytes seconds notes warnings
      stages { kind fate epoch }
      explanation { of what amount }
    }
  }
`);

export const submitJobMutation = graphql(`
  mutation SubmitJob($spec: JobSpecInput!, $idempotencyKey: String) {
    submitJob(spec: $spec, idempotencyKey: $idempotencyKey) { id state }
  }
`);
