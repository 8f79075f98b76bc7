import { graphql } from "../graphql.ts";

/** GraphQL documents of datasets and their versions. */

export const datasetsQuery = graphql(`
  query Datasets($first: Int, $after: String) {
    datasets(first: $first, after: $after) {
      edges { node { id name createdAt latest { id number state graph { numNodes numEdges numClasses numFeatures } } } }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

export const datasetQuery = graphql(`
  query Dataset($id: ID!, $number: Int) {
    dataset(id: $id) {
      id name createdAt
      latest { id number state }
      newestReady { id number }
      versions { id number state createdAt }
      version(number: $number) {
        id number contentHash state createdAt
        tasks { label task }
        files { name bytes sha256 source }
        spec
        problem { code title detail pointer file line field retryable }
        jobs { id kind state }
        graph {
          numNodes numEdges idType directed numFeatures numClasses
          nodeTypes { name count numFeatures }
          relations { source name target count }
          splits { split count }
          labelCounts { label count }
          degreeHistogram { edges counts }
          homophily { edges share expected }
          graphs {
            numGraphs numClasses minNodes meanNodes maxNodes meanEdges
            sizeHistogram { edges counts } labelCounts { label count } splits { split count } folds { split count }
          }
          edgeRows { numRows labelCounts { label count } }
          profile
        }
        preview { files { name columns { name } } }
        report {
          rowsRead duplicateEdges selfLoops danglingIds isolatedNodes warnings
          badRows(first: 50) { file line column found }
        }
      }
    }
  }
`);

export const comparedVersionsQuery = graphql(`
  query ComparedVersions($id: ID!, $earlier: Int!, $later: Int!) {
    dataset(id: $id) {
      id
      before: version(number: $earlier) {
        id spec
        files { name sha256 }
        graph {
          numNodes numEdges numFeatures classes
          splits { split count }
          homophily { share }
          labelCounts { label count }
          degreeHistogram { edges counts }
          profile
        }
        report { duplicateEdges selfLoops isolatedNodes }
      }
      after: version(number: $later) {
        id spec
        files { name sha256 }
        graph {
          numNodes numEdges numFeatures classes
          splits { split count }
          homophily { share }
          labelCounts { label count }
          degreeHistogram { edges counts }
          profile
        }
        report { duplicateEdges selfLoops isolatedNodes }
      }
    }
  }
`);

export const previewQuery = graphql(`
  query Preview($id: ID!) {
    dataset(id: $id) {
      id name
      newestReady { id number spec }
      latest {
        id number state
        problem { code title detail pointer file line field retryable }
        jobs { id kind state }
        preview {
          files { name reader options isReaderChosen reasons problem bytes numRowsSampled columns { name type role width } rows }
          proposed warnings
        }
      }
    }
  }
`);

export const createDatasetVersionMutation = graphql(`
  mutation CreateDatasetVersion($dataset: ID!, $withFiles: Boolean!) {
    createDatasetVersion(dataset: $dataset, withFiles: $withFiles) { id number state }
  }
`);

export const ingestDatasetMutation = graphql(`
  mutation IngestDataset($version: ID!, $spec: DatasetSpecInput!) {
    ingestDataset(version: $version, spec: $spec) { id state }
  }
`);

export const deleteDatasetMutation = graphql(`
  mutation DeleteDataset($id: ID!) { deleteDataset(id: $id) }
`);
