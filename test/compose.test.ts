import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";

interface Service {
  readonly image?: string;
  readonly build?: { readonly dockerfile: string; readonly target?: string; readonly args?: Record<string, string> };
  readonly user?: string;
  readonly init?: boolean;
  readonly read_only?: boolean;
  readonly privileged?: boolean;
  readonly cap_drop?: readonly string[];
  readonly cap_add?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly tmpfs?: readonly string[];
  readonly volumes?: readonly string[];
  readonly environment?: Record<string, string>;
  readonly logging?: { readonly options: Record<string, string> };
  readonly healthcheck?: Record<string, unknown>;
}

const read = (name: string) => readFileSync(fileURLToPath(new URL(`../${name}`, import.meta.url)), "utf8");
const servicesOf = (name: string): Record<string, Service> => parse(read(name), { merge: true }).services;
const stack = servicesOf("docker-compose.yml");
const alone = servicesOf("docker-compose.worker.yml");
const everyService = [...Object.entries(stack), ...Object.entries(alone).map(([name, it]) => [`${name}, alone`, it])];

describe.each(everyService as [string, Service][])("the compose service %s", (_, service) => {
  it("is no root, has no capabilities and can get none", () => {
    expect(service.user).toMatch(/^(node|postgres|redis)$/);
    expect(service.cap_drop).toEqual(["ALL"]);
    expect(service.cap_add).toBeUndefined();
    expect(service.privileged).toBeUndefined();
    expect(service.security_opt).toContain("no-new-privileges:true");
  });

  it("changes files in its volumes and in memory only", () => {
    expect(service.read_only).toBe(true);
    expect(service.tmpfs).toContain("/tmp");
    for (const volume of service.volumes ?? []) expect(volume).toMatch(/^[a-z]+:\/var\/lib\/|^redis:\/data$/);
  });

  it("reaps zombies and bounds its logs", () => {
    expect(service.init).toBe(true);
    expect(service.logging?.options).toMatchObject({ "max-size": "10m", "max-file": "5" });
  });

  it("is asked for its health often while it starts, and seldom afterwards", () => {
    expect(service.healthcheck).toMatchObject({ start_interval: "500ms", interval: "30s" });
    expect(service.healthcheck?.start_period).toBeDefined();
  });
});

describe("the compose stack", () => {
  it("shows the API's folder, which holds the admin's key, to no other service", () => {
    const data = stack.api?.environment?.HOPWISE_DATA;
    const [volume] = (stack.api?.volumes ?? []).flatMap((it) => (it.endsWith(`:${data}`) ? [it.split(":")[0]] : []));
    expect(volume).toBeDefined();
    const users = Object.entries(stack).filter(([, it]) => it.volumes?.some((mount) => mount.startsWith(`${volume}:`)));
    expect(users.map(([name]) => name)).toEqual(["api"]);
  });

  it("puts the port that the API is published at into its sign-in links", () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: compose's own variables
    const expected = "${HOPWISE_PUBLIC_URL:-http://127.0.0.1:${HOPWISE_PORT:-4680}}";
    expect(stack.api?.environment?.HOPWISE_PUBLIC_URL).toBe(expected);
  });

  it("takes PostgreSQL for ready by its address, where the server that makes the database does not listen", () => {
    expect(stack.postgres?.healthcheck?.test).toContain("--host=127.0.0.1");
  });

  it("passes a worker's address for ranks of others on", () => {
    expect(stack["gpu-worker"]?.environment).toHaveProperty("HOPWISE_RANK_ADDRESS");
  });
});

describe("the overlay for GPUs", () => {
  const stages = [...read("apps/gpu-worker/Dockerfile").matchAll(/^FROM (\S+)(?: AS (\S+))?$/gm)];
  const worker = servicesOf("docker-compose.gpu.yml")["gpu-worker"] as Service & {
    readonly deploy: { readonly resources: { readonly reservations: { readonly devices: readonly object[] } } };
  };

  it("builds the stage of the worker's image that is on NVIDIA's base and computes with our kernels", () => {
    expect(worker.build).toMatchObject({ dockerfile: "apps/gpu-worker/Dockerfile", target: "worker-gpu" });
    const base = stages.find(([, , name]) => name === "worker-gpu")?.[1];
    expect(base).toMatch(/^nvidia\/cuda:.*-runtime-/);
    expect(read("apps/gpu-worker/Dockerfile")).toMatch(/^ENV .*HOPWISE_BACKEND=cuda/m);
  });

  it("leaves the stage for CPUs the one that is built when none is named", () => {
    expect(stages.at(-1)?.slice(1)).toEqual(["worker", undefined]);
  });

  it("changes nothing of the worker's rights, and gives it the host's GPUs", () => {
    expect(Object.keys(worker).toSorted()).toEqual(["build", "deploy", "shm_size"]);
    expect(worker.deploy.resources.reservations.devices).toEqual([
      { driver: "nvidia", count: "all", capabilities: ["gpu"] },
    ]);
  });

  it("copies what the kernels are built from, where script/build-cuda reads it", () => {
    const script = read("script/build-cuda");
    for (const path of ["packages/gnn-core/native", "node_modules/node-addon-api"]) {
      expect(script).toContain(path);
      expect(read("apps/gpu-worker/Dockerfile")).toContain(`COPY --from=build /src/${path} ${path}`);
    }
  });
});

describe("the overlay that publishes Redis", () => {
  const redis = servicesOf("docker-compose.redis.yml").redis as Service & {
    readonly entrypoint: readonly [string, ...string[]];
    readonly ports: readonly Record<string, unknown>[];
  };

  it("asks for an address and a password, and falls back to none", () => {
    expect(redis.environment?.REDISCLI_AUTH).toMatch(/^\$\{REDIS_PASSWORD:\?/);
    expect(redis.ports).toHaveLength(1);
    expect(redis.ports[0]?.host_ip).toMatch(/^\$\{REDIS_ADDRESS:\?/);
  });

  /** What the container does, up to the command that it would run. */
  function start(password: string) {
    const [shell, ...args] = redis.entrypoint.map((part) => part.replaceAll("$$", "$"));
    const command = ["sh", "-c", "echo started with umask $(umask)"];
    return spawnSync(shell ?? "", [...args, ...command], {
      env: { ...process.env, REDISCLI_AUTH: password },
      encoding: "utf8",
    });
  }

  it.each(["", "short", "hopwise-local-only"])(
    "does not start with the password %j, and says what to do",
    (password) => {
      const { status, stdout, stderr } = start(password);
      expect([status, stdout]).toEqual([1, ""]);
      expect(stderr).toMatch(/REDIS_PASSWORD is known to everybody or shorter.*openssl rand/);
    },
  );

  it("starts with one of the operator's own", () => {
    expect(start("9f86d081884c7d659a2feaa0").stdout.trim()).toBe("started with umask 0077");
  });
});

describe("the overlay that keeps artifacts in a bucket", () => {
  const { api, serve, "gpu-worker": worker } = servicesOf("docker-compose.bucket.yml");

  it("asks for the bucket and a key to it, and falls back to none", () => {
    for (const service of [api, serve]) {
      expect(Object.keys(service?.environment ?? {})).toEqual([
        "ARTIFACTS_URL",
        "AWS_ACCESS_KEY_ID",
        "AWS_SECRET_ACCESS_KEY",
      ]);
      for (const value of Object.values(service?.environment ?? {})) expect(value).toMatch(/^\$\{\w+:\?/);
    }
  });

  it("has workers ask the API, which listens there, and gives them no key", () => {
    expect(worker?.environment).toEqual({
      ARTIFACTS_URL: `http://api:${stack["api"]?.environment?.["HOPWISE_PORT"] ?? 4680}`,
    });
  });
});

it("script/check-compose says that it was skipped where no engine answers", () => {
  const env = { ...process.env, DOCKER_HOST: "unix:///nowhere/docker.sock" };
  const script = fileURLToPath(new URL("../script/check-compose", import.meta.url));
  const { status, stdout } = spawnSync(script, { env, encoding: "utf8" });
  expect(stdout).toMatch(/^check-compose: SKIPPED: no (docker here|container engine answers); docs\/notes\/compose.md/);
  expect(status).toBe(0);
});
