import { graphql } from "../graphql.ts";

/** GraphQL documents of the queue, workers and their credentials. */

export const queueQuery = graphql(`
  query Queue { queue { length jobs { position jobId name priority reason submittedAt } } }
`);

export const queueHistoryQuery = graphql(`
  query QueueHistory { queueHistory { day submitted medianWaitSeconds longestWaitSeconds rankHours } workers { id state slots } }
`);

export const workerLogQuery = graphql(`
  query WorkerLog($id: ID!, $after: SafeInt) {
    workerLog(id: $id, after: $after) { cursor at level message fields }
  }
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
