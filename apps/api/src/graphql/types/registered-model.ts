import {
  type GraphForm,
  type KeepModelRequest,
  keepModelRequest,
  limits,
  type ModelVersionChange,
  modelVersionChange,
} from "@hopwise/contracts";
import { blobsOf, infoOf, specOf, trainedOnOf } from "../../database/stored-json.ts";
import { shownModelOf } from "../../jobs/job-artifacts.ts";
import { changeModelVersion, deleteModel, deleteModelVersion } from "../../models/change-version.ts";
import { keepModel } from "../../models/keep-model.ts";
import { type CardedVersion, modelCardOf } from "../../models/model-card.ts";
import { findModel, listModels, refOfVersion, type ShownModel, type ShownVersion } from "../../models/model-queries.ts";
import { shownStage } from "../../models/stages.ts";
import { builder } from "../base/builder.ts";
import { costs, nestedListCost, pageCost } from "../base/costs.ts";
import { soundArguments } from "../base/sound-arguments.ts";
import { connectionOf } from "./connection.ts";

export const ModelStageEnum = builder.enumType("ModelStage", {
  values: {
    CANDIDATE: { value: "candidate" },
    PRODUCTION: { value: "production", description: "What is applied when no version is named; one of a model" },
    ARCHIVED: { value: "archived", description: "Applied only when it is named" },
  } as const,
});

export const ModelVersionType = builder.objectRef<ShownVersion>("ModelVersion").implement({
  fields: (t) => ({
    id: t.exposeID("id"),
    projectId: t.exposeID("projectId"),
    modelId: t.exposeID("modelId"),
    name: t.string({ description: "Name of the model", resolve: ({ model }) => model.name }),
    number: t.exposeInt("number"),
    ref: t.string({ description: "name@number, as an infer job names it", resolve: refOfVersion }),
    stage: t.field({ type: ModelStageEnum, resolve: ({ stage }) => shownStage(stage) }),
    note: t.exposeString("note"),
    jobId: t.exposeID("jobId", { nullable: true, description: "The job that trained it; null: it is deleted" }),
    isUploaded: t.exposeBoolean("isUploaded"),
    dataset: t.exposeString("dataset", { description: "The dataset version that it was trained on, id@number" }),
    datasetName: t.exposeString("datasetName"),
    modelType: t.string({ resolve: ({ artifact }) => shownModelOf(artifact).model?.type ?? "" }),
    metrics: t.field({
      type: "JSON",
      complexity: costs.json,
      description: "Figures of the training job, such as test/accuracy",
      resolve: ({ artifact }) => shownModelOf(artifact).metrics ?? {},
    }),
    bytes: t.field({
      type: "SafeInt",
      description: "Bytes of all files",
      resolve: ({ artifact }) => Number(artifact.bytes),
    }),
    createdBy: t.exposeString("createdBy"),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
    stageChangedAt: t.expose("stageChangedAt", { type: "DateTime", nullable: true }),
  }),
});

const RegisteredModelType = builder.objectRef<ShownModel>("RegisteredModel").implement({
  description: "A name under which the models of several jobs are kept, each as a version",
  fields: (t) => ({
    id: t.exposeID("id"),
    projectId: t.exposeID("projectId"),
    name: t.exposeString("name"),
    createdBy: t.exposeString("createdBy"),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
    versions: t.field({
      type: [ModelVersionType],
      description: `The newest ${limits.modelVersions}, the newest first`,
      complexity: nestedListCost(limits.modelVersions),
      resolve: ({ versions }) => versions,
    }),
  }),
});

type TypeColumns = NonNullable<GraphForm["features"]["types"]>[number];

const FormTypeColumnsType = builder.objectRef<TypeColumns>("GraphFormTypeColumns").implement({
  fields: (t) => ({ name: t.exposeString("name"), dim: t.exposeInt("dim") }),
});

const FormFeaturesType = builder.objectRef<GraphForm["features"]>("GraphFormFeatures").implement({
  fields: (t) => ({
    kind: t.exposeString("kind", { description: "none, dense or csr" }),
    dim: t.exposeInt("dim"),
    columns: t.exposeStringList("columns", {
      nullable: true,
      description: "null: they come from a matrix, whose columns have no names",
    }),
    types: t.field({
      type: [FormTypeColumnsType],
      nullable: true,
      description: "Columns of each type of node, where types have columns of their own; null: all have the same",
      resolve: ({ types }) => types && [...types],
    }),
  }),
});

const GraphFormType = builder.objectRef<GraphForm>("GraphForm").implement({
  fields: (t) => ({
    features: t.field({ type: FormFeaturesType, resolve: ({ features }) => features }),
    classes: t.exposeStringList("classes", { description: "In the order in which the model counts them" }),
    targets: t.exposeStringList("targets"),
    directed: t.exposeBoolean("directed"),
    hasWeights: t.exposeBoolean("hasWeights", { description: "Whether its edges carry weights" }),
    nodeTypes: t.exposeStringList("nodeTypes"),
    edgeTypes: t.exposeStringList("edgeTypes"),
    numNodes: t.expose("numNodes", { type: "SafeInt" }),
    numEdges: t.expose("numEdges", { type: "SafeInt" }),
  }),
});

type File = ReturnType<typeof blobsOf>[number] & { readonly artifactId: string };

const ModelFileType = builder.objectRef<File>("ModelFile").implement({
  fields: (t) => ({
    name: t.exposeString("name"),
    bytes: t.expose("bytes", { type: "SafeInt" }),
    sha256: t.exposeString("sha256"),
    url: t.string({
      resolve: ({ artifactId, name }) => `/v1/artifacts/${artifactId}?blob=${encodeURIComponent(name)}`,
    }),
  }),
});

const ModelCardType = builder.objectRef<CardedVersion>("ModelCard").implement({
  fields: (t) => ({
    version: t.field({ type: ModelVersionType, resolve: ({ version }) => version }),
    artifactId: t.id({ resolve: ({ artifact }) => artifact.id }),
    digest: t.string({ description: "SHA-256 over the model's manifest", resolve: ({ artifact }) => artifact.digest }),
    trainedOn: t.field({
      type: GraphFormType,
      complexity: costs.json,
      description: "What a graph must be like for the model to be applied to it",
      resolve: ({ version }) => trainedOnOf(version),
    }),
    info: t.field({
      type: "JSON",
      complexity: costs.json,
      description: "Shape, epochs, transforms, confusion, calibration: the model's manifest",
      resolve: ({ artifact }) => infoOf(artifact),
    }),
    spec: t.field({
      type: "JSON",
      complexity: costs.json,
      description: "The training job’s spec, resolved",
      resolve: ({ version }) => specOf(version),
    }),
    files: t.field({
      type: [ModelFileType],
      complexity: { multiplier: 12 },
      resolve: ({ artifact }) => blobsOf(artifact).map((blob) => ({ ...blob, artifactId: artifact.id })),
    }),
    usedBy: t.idList({
      description: "Ids of the newest jobs that apply it or start from it, ended ones too",
      resolve: ({ usedBy }) => [...usedBy],
    }),
  }),
});

const RegisteredModelConnection = connectionOf("RegisteredModel", RegisteredModelType);

builder.queryFields((t) => ({
  registeredModels: t.field({
    type: RegisteredModelConnection,
    description: "The models with their versions, newest first",
    args: {
      project: t.arg.id(),
      name: t.arg.string({ description: "Only the model of this name" }),
      first: t.arg.int(),
      after: t.arg.string(),
    },
    complexity: pageCost,
    resolve: (_root, args, { services, viewer }) => listModels(services, viewer, args),
  }),
  registeredModel: t.field({
    type: RegisteredModelType,
    nullable: true,
    complexity: costs.query,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, { services, viewer }) => findModel(services, viewer, id),
  }),
  modelCard: t.field({
    type: ModelCardType,
    description: "The card of a version: data, spec, metrics, files, and the jobs that use it",
    complexity: 3 * costs.query,
    args: { version: t.arg.id({ required: true, description: "Id of the version" }) },
    resolve: (_root, { version }, { services, viewer }) => modelCardOf(services, viewer, version),
  }),
}));

builder.mutationFields((t) => ({
  keepModel: t.field({
    type: ModelVersionType,
    complexity: costs.mutation,
    description: "Keeps the model of a job as the next version under a name",
    args: {
      name: t.arg.string({ required: true, description: "Name of a new model, or of one that gets another version" }),
      job: t.arg.id({ required: true, description: "A training job that has succeeded" }),
      note: t.arg.string(),
    },
    resolve: (_root, asked, { services, viewer }) =>
      keepModel(services, viewer, soundArguments(keepModelRequest, asked) satisfies KeepModelRequest),
  }),
  changeModelVersion: t.field({
    type: ModelVersionType,
    complexity: costs.mutation,
    description: "Moves a version to another stage, or changes its note; what is left out stays",
    args: {
      id: t.arg.id({ required: true }),
      stage: t.arg({
        type: ModelStageEnum,
        description: "One version of a model is in production: another is archived by this",
      }),
      note: t.arg.string(),
    },
    resolve: (_root, { id, ...asked }, { services, viewer }) =>
      changeModelVersion(services, viewer, id, soundArguments(modelVersionChange, asked) satisfies ModelVersionChange),
  }),
  deleteModelVersion: t.boolean({
    complexity: costs.mutation,
    description: "A job that applies it goes on to its end",
    args: { id: t.arg.id({ required: true }) },
    resolve: async (_root, { id }, { services, viewer }) => {
      await deleteModelVersion(services, viewer, id);
      return true;
    },
  }),
  deleteRegisteredModel: t.boolean({
    complexity: costs.mutation,
    description: "Deletes a model with all its versions; jobs that apply one go on to their end",
    args: { id: t.arg.id({ required: true }) },
    resolve: async (_root, { id }, { services, viewer }) => {
      await deleteModel(services, viewer, id);
      return true;
    },
  }),
}));
