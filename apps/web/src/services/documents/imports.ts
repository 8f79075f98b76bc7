import { graphql } from "../graphql.ts";

/** GraphQL documents of imports: files that the service fetches itself. */

export const importsQuery = graphql(`
  query Imports($dataset: ID!) {
    imports(dataset: $dataset) {
      id state bytesDone bytesTotal etaSeconds waitReason version published repeatedBy createdAt
      files { name source query rowsDone bytesDone bytesTotal }
      problem { code title detail pointer file line field retryable }
    }
  }
`);

export const startImportMutation = graphql(`
  mutation StartImport($dataset: ID!, $input: ImportInput!) {
    startImport(dataset: $dataset, input: $input) { id }
  }
`);

export const proposeImportMutation = graphql(`
  mutation ProposeImport($input: ImportProposalInput!) {
    proposeImport(input: $input) {
      url
      files { name kind joins query notes }
      leftOut { name reason }
    }
  }
`);

export const cancelImportMutation = graphql(`
  mutation CancelImport($id: ID!) { cancelImport(id: $id) { id state } }
`);

export const repeatImportMutation = graphql(`
  mutation RepeatImport($id: ID!) { repeatImport(id: $id) { id } }
`);

export const importSchedulesQuery = graphql(`
  query ImportSchedules($dataset: ID!) {
    importSchedules(dataset: $dataset) {
      id importId sources everyMinutes cron timeZone adds state pauseReason nextAt runId lastAt lastResult
      problem { code title detail pointer file line field retryable }
    }
  }
`);

export const pauseImportScheduleMutation = graphql(`
  mutation PauseImportSchedule($id: ID!) { pauseImportSchedule(id: $id) { id state } }
`);

export const resumeImportScheduleMutation = graphql(`
  mutation ResumeImportSchedule($id: ID!) { resumeImportSchedule(id: $id) { id state } }
`);

export const deleteImportScheduleMutation = graphql(`
  mutation DeleteImportSchedule($id: ID!) { deleteImportSchedule(id: $id) }
`);

export const sourceCredentialsQuery = graphql(`
  query SourceCredentials { sourceCredentials { id name kind hosts createdAt } }
`);

export const publishedDatasetsQuery = graphql(`
  query PublishedDatasets {
    publishedDatasets { name title summary numNodes numEdges licence approximateBytes }
  }
`);

export const createSourceCredentialMutation = graphql(`
  mutation CreateSourceCredential($input: NewSourceCredentialInput!) { createSourceCredential(input: $input) { id } }
`);

export const deleteSourceCredentialMutation = graphql(`
  mutation DeleteSourceCredential($id: ID!) { deleteSourceCredential(id: $id) }
`);
