import { graphql } from "../graphql.ts";

/** GraphQL documents of what a job leaves: embeddings, new neighbours, figures. */

export const embeddingsQuery = graphql(`
  query Embeddings($id: ID!) {
    job(id: $id) {
      id name state spec
      embeddings {
        id numRows dim layer
        projection {
          explained effectiveDim numPoints numDetailed hasUmap classes columns { name type names blob }
          artifact { id blobs { name } }
        }
        downloads { kind name format url ready bytes sha256 }
      }
      predictionDownloads { kind name format url ready bytes sha256 }
    }
  }
`);

export const requestExportMutation = graphql(`
  mutation RequestExport($job: ID!, $kind: ExportKind!, $format: String!, $idColumn: String, $vectorColumn: String) {
    requestExport(job: $job, kind: $kind, format: $format, idColumn: $idColumn, vectorColumn: $vectorColumn) {
      url
      job { id }
    }
  }
`);

export const newNeighborsQuery = graphql(`
  query NewNeighbors($id: ID!, $node: String!, $relation: String) {
    job(id: $id) { id newNeighbors(node: $node, relation: $relation) { node relations neighbors { id score type relations } } }
  }
`);

export const relationFiguresQuery = graphql(`
  query RelationFigures($id: ID!) { job(id: $id) { id relationFigures { relations numLinks { val test } metrics } } }
`);

export const foundNeighborsQuery = graphql(`
  query FoundNeighbors($id: ID!) { job(id: $id) { id predictionDownloads { kind name format url ready bytes } } }
`);

export const nearestNodesQuery = graphql(`
  query NearestNodes($job: ID, $model: ID, $number: Int, $node: String!, $metric: NeighborMetric) {
    neighbors(job: $job, model: $model, version: $number, id: $node, metric: $metric, k: 10) {
      job dataset metric neighbors { id score }
    }
  }
`);

export const nodePredictionQuery = graphql(`
  query NodePrediction($job: ID, $model: ID, $number: Int, $node: String!) {
    predictions(job: $job, model: $model, version: $number, ids: [$node]) { job dataset predictions { id values } }
  }
`);

export const newNodesQuery = graphql(`
  query NewNodes($job: ID, $model: ID, $number: Int, $nodes: [NewNodeInput!]!) {
    predictions(job: $job, model: $model, version: $number, nodes: $nodes) { job dataset predictions { id values } }
  }
`);

export const explanationQuery = graphql(`
  query Explanation($job: ID, $model: ID, $number: Int, $node: String!, $nodes: [NewNodeInput!]) {
    explanation(job: $job, model: $model, version: $number, id: $node, nodes: $nodes, edges: 12, features: 10) {
      class probability numEdges numFeatures fidelityPlus fidelityMinus
      edges { from to weight relation }
      features { name weight }
    }
  }
`);
