import { graphql } from "../graphql.ts";

/** GraphQL documents of sweeps. */

export const sweepsQuery = graphql(`
  query Sweeps($first: Int, $after: String) {
    sweeps(first: $first, after: $after) {
      edges {
        node {
          id name dataset datasetName numSettings createdAt finishedAt
          counts { jobs waiting running succeeded failed cancelled }
        }
      }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

export const sweepQuery = graphql(`
  query Sweep($id: ID!) {
    sweep(id: $id) {
      sweep {
        id name dataset datasetName numSettings createdAt finishedAt metric
        search { budgetSeconds hasEnded decisions }
        task { chiefMetric metrics { name title shownAs direction } }
        counts { jobs waiting running succeeded failed cancelled }
      }
      settings {
        index changes title
        validation { mean deviation count }
        test { mean deviation count }
        trials { jobId seed state validation test }
      }
      best { setting jobId reason }
    }
  }
`);

export const submitSweepMutation = graphql(`
  mutation SubmitSweep($spec: JobSpecInput!, $grid: JSON, $seeds: [Int!], $auto: AutoInput, $name: String, $idempotencyKey: String) {
    submitSweep(spec: $spec, grid: $grid, seeds: $seeds, auto: $auto, name: $name, idempotencyKey: $idempotencyKey) { id }
  }
`);

export const cancelSweepMutation = graphql(`
  mutation CancelSweep($id: ID!) { cancelSweep(id: $id) { id } }
`);

export const promoteSweepMutation = graphql(`
  mutation PromoteSweep($id: ID!, $name: String!, $stage: ModelStage) {
    promoteSweep(id: $id, name: $name, stage: $stage) { id ref }
  }
`);

export const deleteSweepMutation = graphql(`
  mutation DeleteSweep($id: ID!) { deleteSweep(id: $id) }
`);
