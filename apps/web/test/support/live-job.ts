import { leadRank, type WorkerEventBody } from "@hopwise/contracts";
import { submitJob } from "../../../api/src/jobs/submit-job.ts";
import { componentsOf } from "../../../api/test/scheduler/support/fixture-registry.ts";
import { PrivateRedis } from "../../../api/test/scheduler/support/private-redis.ts";
import { type ScriptedStage, ScriptedWorker } from "../../../api/test/scheduler/support/scripted-worker.ts";
import { seedDataset } from "../../../api/test/scheduler/support/seed-dataset.ts";
import { signIn } from "../../../api/test/support/session.ts";
import { startApp, type TestApp } from "../../../api/test/support/start-app.ts";

export interface LiveJob {
  readonly url: string;
  readonly jobId: string;
  /** Name and value of a session's cookie */
  readonly cookie: { readonly name: string; readonly value: string };
  /** Has the training tell so many more events, by the worker's side of Redis. */
  tell(numEvents: number): Promise<void>;
  stop(): Promise<void>;
}

/** The whole API with a job whose training says what a test has it say, for as long as the test wants. */
export async function startLiveJob(): Promise<LiveJob> {
  const redis = await PrivateRedis.start();
  const app = await startApp({ REDIS_URL: redis.url });
  let training: (stage: ScriptedStage) => void = () => {};
  const trained = new Promise<ScriptedStage>((resolve) => (training = resolve));
  const script = async (stage: ScriptedStage) => {
    if (stage.task.step === "partition") return partition(stage);
    training(stage);
    await stage.stopped;
  };
  const worker = new ScriptedWorker({ redis, components: componentsOf(app.services.registry), script });
  const jobId = await submit(app);
  const stage = await trained;
  let told = 0;
  const place = app.server.server.address();
  const [name = "", value = ""] = (await signIn(app)).split("=");
  return {
    url: `http://127.0.0.1:${typeof place === "object" && place ? place.port : 0}`,
    jobId,
    cookie: { name, value },
    async tell(numEvents) {
      for (const last = told + numEvents; told < last; ) await stage.emit(eventOf(++told));
    },
    async stop() {
      await worker.die();
      await app.close();
      await redis.stop();
    },
  };
}

async function submit({ services }: TestApp): Promise<string> {
  const { userId, projectId, datasetId } = await seedDataset(services.prisma);
  await services.prisma.user.updateMany({ data: { role: "ADMIN" } });
  const viewer = { userId, name: "test", role: "ADMIN", projectId, via: "key" } as const;
  const spec = { version: 1, kind: "train", dataset: datasetId, task: { target: "label" } };
  return (await submitJob(services, viewer, spec)).id;
}

/** Succeeds with the facts of one part, which the page of a job draws. */
async function partition(stage: ScriptedStage): Promise<void> {
  const part = { part: 0, nodes: 4, edges: 8, trainNodes: 2, valNodes: 1, testNodes: 1, haloNodes: 0 };
  const info = {
    numParts: 1,
    numNodes: 4,
    numEdges: 8,
    nodeOffsets: [0, 4],
    edgeOffsets: [0, 8],
    partitioner: { type: "metis", options: {} },
    graph: {
      classes: ["x", "y"],
      features: { kind: "none", dim: 0 },
      splits: { train: 2, val: 1, test: 1, none: 0 },
      idType: "int64",
      directed: false,
    },
    report: {
      numParts: 1,
      edgeCut: 0,
      communicationVolume: 0,
      expectedRemoteReads: 0,
      imbalance: { nodes: 1, edges: 1, train: 1 },
      parts: [part],
    },
  };
  const { id, prefix, reuseKey, kind } = stage.task.output;
  const artifact = { id, kind, prefix, reuseKey, digest: reuseKey, bytes: 12, info, blobs: [] };
  await stage.emit({ type: "stageSucceeded", artifact });
}

/** As many epochs as nobody's training has. */
const numEpochs = 1_000_000;

/** The i-th event, from 1 on: half are lines of the log; every tenth is the progress, whose count is i. */
function eventOf(i: number): WorkerEventBody {
  const step = i;
  switch (i % 10) {
    case 0:
      return {
        type: "step",
        event: { type: "progress", phase: "train", completed: step, total: numEpochs, unit: "epochs" },
      };
    case 1: {
      const figures = { step, seedsPerSecond: 1e5, rssBytes: 1e9, localRows: 1, remoteRows: 1, cachedRows: 0 };
      const event = { type: "member", member: leadRank, device: "cpu", breakdown: null, ...figures } as const;
      return { type: "step", event };
    }
    case 2:
    case 3:
    case 4: {
      const at = new Date().toISOString();
      const values = { "train/loss": 1 / step, "val/loss": 1.1 / step, "val/accuracy": 1 - 1 / step };
      const points = [2 * step, 2 * step + 1].map((epoch) => ({ at, step: epoch, values }));
      return { type: "metrics", axis: "epoch", points };
    }
    default: {
      const message = `epoch ${step} of ${numEpochs}: train/loss ${1 / step}`;
      return { type: "step", event: { type: "log", level: "info", member: leadRank, message, fields: { step } } };
    }
  }
}
