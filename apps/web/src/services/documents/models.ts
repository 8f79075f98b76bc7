import { graphql } from "../graphql.ts";

/** GraphQL documents of kept models. */

export const modelsQuery = graphql(`
  query Models($name: String, $first: Int, $after: String) {
    registeredModels(name: $name, first: $first, after: $after) {
      edges {
        node {
          id name
          versions { id ref number stage note jobId isUploaded dataset datasetName modelType metrics createdAt }
        }
      }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

export const modelCardQuery = graphql(`
  query ModelCard($version: ID!) {
    modelCard(version: $version) {
      digest info spec usedBy
      version { id modelId number ref stage note jobId isUploaded createdBy dataset datasetName modelType metrics bytes createdAt stageChangedAt }
      trainedOn { features { kind dim columns types { name dim } } classes targets directed hasWeights nodeTypes edgeTypes numNodes numEdges }
      files { name bytes url }
    }
  }
`);

export const keepModelMutation = graphql(`
  mutation KeepModel($name: String!, $job: ID!, $note: String) {
    keepModel(name: $name, job: $job, note: $note) { id ref }
  }
`);

export const changeModelVersionMutation = graphql(`
  mutation ChangeModelVersion($id: ID!, $stage: ModelStage) { changeModelVersion(id: $id, stage: $stage) { id stage } }
`);

export const deleteModelVersionMutation = graphql(`
  mutation DeleteModelVersion($id: ID!) { deleteModelVersion(id: $id) }
`);
