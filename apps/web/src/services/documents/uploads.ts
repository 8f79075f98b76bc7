import { graphql } from "../graphql.ts";

/** GraphQL documents of uploads that go on after a cut. */

export const uploadsQuery = graphql(`
  query Uploads($dataset: ID!) {
    uploads(dataset: $dataset) { id name state bytesDone bytesTotal bytesFinished }
  }
`);
