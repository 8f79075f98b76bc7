import { graphql } from "../graphql.ts";

/** GraphQL documents of who has signed in, and the keys of the account. */

export const viewerQuery = graphql(`
  query Viewer { me { role user { id name } project { id name } } }
`);

export const apiKeysQuery = graphql(`
  query ApiKeys { apiKeys { id name role prefix createdAt lastUsedAt } }
`);

export const createApiKeyMutation = graphql(`
  mutation CreateApiKey($input: ApiKeyInput!) {
    createApiKey(input: $input) { secret key { id name } }
  }
`);

export const revokeApiKeyMutation = graphql(`
  mutation RevokeApiKey($id: ID!) { revokeApiKey(id: $id) }
`);

export const commandsQuery = graphql(`
  query Commands($filter: JobFilter, $first: Int) {
    jobs(filter: $filter, first: $first) { edges { node { id name } } }
    datasets(first: 100) { edges { node { id name } } }
  }
`);
