import { graphql } from "../graphql.ts";

/** GraphQL documents of jobs beside others. */

export const clonedJobQuery = graphql(`
  query ClonedJob($id: ID!) { job(id: $id) { id spec dataset { id dataset { id } } } }
`);

export const comparedJobQuery = graphql(`
  query ComparedJob($id: ID!) {
    job(id: $id) {
      id name state spec
      task { chiefMetric metrics { name title direction shownAs } }
      model { id metrics }
      series(maxPoints: 300) { name axis steps values times }
    }
  }
`);

export const comparableJobsQuery = graphql(`
  query ComparableJobs { jobs(filter: { kinds: ["train"] }, first: 100) { edges { node { id name } } } }
`);

export const jobSpecQuery = graphql(`
  query JobSpec($id: ID!) { job(id: $id) { id name spec } }
`);

export const jobsBeforeQuery = graphql(`
  query JobsBefore($dataset: ID!) {
    jobs(filter: { dataset: $dataset, kinds: ["train"] }, first: 100) { edges { node { id name } } }
  }
`);
