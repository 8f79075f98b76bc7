import { graphql } from "../graphql.ts";

/** GraphQL documents of a job and what comes of it while it runs. */

export const jobQuery = graphql(`
  query Job($id: ID!) {
    job(id: $id) {
      id name kind spec note sweepId state createdAt startedAt finishedAt cursor
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
        types { type nodes edges haloNodes }
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
