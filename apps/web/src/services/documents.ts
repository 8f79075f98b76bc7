import { graphql } from "./graphql.ts";

/** Every GraphQL document of the dashboard, checked against the API's schema by tsc and by a test. */

export const viewerQuery = graphql(`
  query Viewer { me { role user { id name } project { id name } } }
`);

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
        files { name bytes sha256 }
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
          files { name reader options isReaderChosen reasons problem bytes numRowsSampled columns { name type role } rows }
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

export const jobsQuery = graphql(`
  query Jobs($filter: JobFilter, $sort: JobSort, $first: Int, $after: String) {
    jobs(filter: $filter, sort: $sort, first: $first, after: $after) {
      edges { node { id name kind state starred tags datasetName modelType numRanks createdBy { name } createdAt startedAt finishedAt model { metrics } task { chiefMetric metrics { name title shownAs } } stages { kind state cached completed total unit phase } } }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

export const jobQuery = graphql(`
  query Job($id: ID!) {
    job(id: $id) {
      id name kind spec note state createdAt startedAt finishedAt cursor
      task { chiefMetric metrics { name title direction shownAs } }
      estimate { seconds explanation { of amount } }
      problem { code title detail pointer file line field retryable }
      dataset { id number contentHash dataset { id name } }
      stages {
        index kind state cached phase completed total unit etaSeconds attempt startedAt finishedAt
        problem { code title detail pointer file line field retryable }
      }
      attempts { number state startedAt finishedAt reason worker host resumedFromEpoch }
      incidents { cursor at attempt code message member host }
      series(maxPoints: 2000) { name axis steps values times }
      ranks {
        attempt name localRank host device state step seedsPerSecond rssBytes localRows remoteRows cachedRows
        breakdown { sample gather forward backward allReduce optimizer wait }
      }
      partition {
        numParts edgeCut communicationVolume haloRatio expectedRemoteReads remoteReadsPerStep
        imbalance { nodes edges train val test }
        parts { part nodes edges trainNodes valNodes testNodes haloNodes haloRatio }
      }
      logs(last: 200) { hasPreviousPage lines { cursor at attempt stageIndex level member message fields } }
      metrics
      model { id metrics info epochs downloads { name url ready bytes sha256 } }
      embeddings { id numRows dim }
    }
  }
`);

export const usageQuery = graphql(`
  query Usage($id: ID!) { job(id: $id) { id usage(maxPoints: 200) { name axis steps values times } } }
`);

export const checkpointsQuery = graphql(`
  query Checkpoints($id: ID!) {
    job(id: $id) { id checkpoints { id epoch step attempt bytes createdAt } }
  }
`);

export const jobQueueQuery = graphql(`
  query JobQueue($id: ID!) { job(id: $id) { id queue { position reason } } }
`);

export const earlierLogsQuery = graphql(`
  query EarlierLogs($id: ID!, $before: String!) {
    job(id: $id) {
      id
      logs(last: 200, before: $before) {
        hasPreviousPage
        lines { cursor at attempt stageIndex level member message fields }
      }
    }
  }
`);

export const changesSubscription = graphql(`
  subscription Changes { changes }
`);

export const jobEventsSubscription = graphql(`
  subscription JobEvents($jobId: ID!, $after: String) {
    jobEvents(jobId: $jobId, after: $after) {
      __typename cursor at attempt
      ... on JobStateChanged { state problem { code title detail pointer file line field retryable } }
      ... on StageProgressed {
        stageIndex kind stageState: state cached phase completed total unit etaSeconds
        problem { code title detail pointer file line field retryable }
      }
      ... on MetricsRecorded { axis step values { name value } }
      ... on RankUpdated {
        member device step seedsPerSecond rssBytes localRows remoteRows cachedRows
        breakdown { sample gather forward backward allReduce optimizer wait }
      }
      ... on LogAppended { logStage: stageIndex level member message fields }
      ... on IncidentRaised { code message incidentMember: member host }
      ... on ArtifactReady { artifactId kind bytes }
    }
  }
`);

export const readyDatasetsQuery = graphql(`
  query ReadyDatasets {
    datasets(first: 200) {
      edges { node { id name latest { id state } newestReady { id number spec tasks { label type task } } } }
    }
  }
`);

export const proposedPresetQuery = graphql(`
  query ProposedPreset($dataset: ID!) {
    dataset(id: $dataset) {
      id
      newestReady {
        id
        proposedPreset {
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

export const cancelJobMutation = graphql(`
  mutation CancelJob($id: ID!) { cancelJob(id: $id) { id state } }
`);

export const starJobMutation = graphql(`
  mutation StarJob($id: ID!, $starred: Boolean!) { markJob(id: $id, starred: $starred) { id starred } }
`);

export const noteJobMutation = graphql(`
  mutation NoteJob($id: ID!, $note: String!) { markJob(id: $id, note: $note) { id note } }
`);

export const tagJobMutation = graphql(`
  mutation TagJob($id: ID!, $tags: JSON!) { markJob(id: $id, tags: $tags) { id tags } }
`);

export const retryJobMutation = graphql(`
  mutation RetryJob($id: ID!, $from: RetryFrom, $epochs: Int, $maxDuration: String, $idempotencyKey: String) {
    retryJob(id: $id, from: $from, epochs: $epochs, maxDuration: $maxDuration, idempotencyKey: $idempotencyKey) { id }
  }
`);

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

export const deleteJobMutation = graphql(`
  mutation DeleteJob($id: ID!) { deleteJob(id: $id) }
`);

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

export const queueQuery = graphql(`
  query Queue { queue { length jobs { position jobId name priority reason submittedAt } } }
`);

export const queueHistoryQuery = graphql(`
  query QueueHistory { queueHistory { day submitted medianWaitSeconds longestWaitSeconds rankHours } workers { id state slots } }
`);

export const projectUseQuery = graphql(`
  query ProjectUse($since: DateTime, $until: DateTime) {
    projectUse(from: $since, to: $until) {
      from
      to
      prices { currency perRankHour perDeviceHour }
      items {
        projectId name rankHours deviceHours cost heldSlots heldDevices waitingJobs monthRankHours
      }
    }
    projects { id name limits { slots devices waitingJobs monthlyRankHours } }
  }
`);

export const setProjectLimitsMutation = graphql(`
  mutation SetProjectLimits($id: ID!, $limits: ProjectLimitsInput!) {
    setProjectLimits(id: $id, limits: $limits) { id limits { slots devices waitingJobs monthlyRankHours } }
  }
`);

export const setPricesMutation = graphql(`
  mutation SetPrices($prices: PricesInput!) { setPrices(prices: $prices) { currency } }
`);

export const removePricesMutation = graphql(`
  mutation RemovePrices { removePrices }
`);

export const workerLogQuery = graphql(`
  query WorkerLog($id: ID!, $after: SafeInt) {
    workerLog(id: $id, after: $after) { cursor at level message fields }
  }
`);

export const setJobPriorityMutation = graphql(`
  mutation SetJobPriority($id: ID!, $priority: Int!) { setJobPriority(id: $id, priority: $priority) { id priority } }
`);

export const drainWorkerMutation = graphql(`
  mutation DrainWorker($id: ID!, $drained: Boolean!) { drainWorker(id: $id, drained: $drained) { id drained state } }
`);

export const workersQuery = graphql(`
  query Workers {
    workers {
      id drained host version compatible state lastSeen reason slots cores memoryBytes diskFreeBytes isa labels rankAddress running { jobId }
      devices {
        kind index name memoryBytes uuid computeCapability driverVersion migParent isEmulated
        use { memoryBytes utilization powerWatts }
      }
    }
  }
`);

/** The versions of a worker over the week that is kept. */
export const workerBootsQuery = graphql(`
  query WorkerBoots($id: ID!) {
    workerHistory(id: $id, hours: 168, maxPoints: 2) { boots { bootId version from to } }
  }
`);

export const workerQuery = graphql(`
  query Worker($id: ID!, $hours: Float) {
    workers { id drained host version build compatible state firstSeen lastSeen reason slots cores memoryBytes diskFreeBytes isa running { jobId } }
    workerHistory(id: $id, hours: $hours) {
      series { name axis steps values times }
      boots { bootId version from to }
    }
  }
`);

export const workerCredentialsQuery = graphql(`
  query WorkerCredentials {
    workerAccess { possible reason warning }
    workerCredentials { workerId user createdAt }
  }
`);

export const createWorkerCredentialMutation = graphql(`
  mutation CreateWorkerCredential($workerId: ID!) {
    createWorkerCredential(workerId: $workerId) { password warning credential { workerId user } }
  }
`);

export const revokeWorkerCredentialMutation = graphql(`
  mutation RevokeWorkerCredential($workerId: ID!) { revokeWorkerCredential(workerId: $workerId) }
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

export const noticesQuery = graphql(`
  query Notices($first: Int) {
    notices(first: $first) { unread items { number event message jobId at isRead } }
  }
`);

export const readNoticesMutation = graphql(`
  mutation ReadNotices($upTo: Int!) { readNotices(upTo: $upTo) { unread } }
`);

export const webhooksQuery = graphql(`
  query Webhooks { webhooks { id name url events } mailFrom }
`);

export const webhookDeliveriesQuery = graphql(`
  query WebhookDeliveries($webhook: ID!) {
    webhookDeliveries(webhook: $webhook) { id event state attempts status error durationMs createdAt dueAt }
  }
`);

export const createWebhookMutation = graphql(`
  mutation CreateWebhook($draft: WebhookInput!) {
    createWebhook(input: $draft) { secret webhook { id name } }
  }
`);

export const deleteWebhookMutation = graphql(`
  mutation DeleteWebhook($id: ID!) { deleteWebhook(id: $id) }
`);

export const testWebhookMutation = graphql(`
  mutation TestWebhook($id: ID!) { testWebhook(id: $id) { id state } }
`);

export const commandsQuery = graphql(`
  query Commands($filter: JobFilter, $first: Int) {
    jobs(filter: $filter, first: $first) { edges { node { id name } } }
    datasets(first: 100) { edges { node { id name } } }
  }
`);

export const requestExportMutation = graphql(`
  mutation RequestExport($job: ID!, $kind: ExportKind!, $format: String!) {
    requestExport(job: $job, kind: $kind, format: $format) { job { id } }
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

export const modelsQuery = graphql(`
  query Models($name: String, $first: Int, $after: String) {
    registeredModels(name: $name, first: $first, after: $after) {
      edges {
        node {
          id name
          versions { id ref number stage note jobId dataset datasetName modelType metrics createdAt }
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
      version { id ref stage note jobId dataset datasetName modelType metrics bytes createdAt stageChangedAt }
      trainedOn { features { kind dim columns } classes targets directed hasWeights nodeTypes edgeTypes numNodes numEdges }
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

export const foundNeighborsQuery = graphql(`
  query FoundNeighbors($id: ID!) { job(id: $id) { id predictionDownloads { kind name format url ready bytes } } }
`);
