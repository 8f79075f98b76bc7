import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { useApp } from "../support/each-database.ts";
import { createDataset, keyFor, readyDataset } from "../support/fixtures.ts";
import { multipartOf } from "../support/multipart.ts";

type Role = "viewer" | "editor" | "admin" | "admin of all projects";

interface Right {
  readonly method: string;
  readonly url: string;
  readonly field: string | null;
  readonly role: Role;
}

const page = readFileSync(new URL("../../../../docs/SECURITY.md", import.meta.url), "utf8");

/** The table of roles as everybody reads it. */
const rights: readonly Right[] = [
  ...page.matchAll(/^\| `([A-Z]+) (\/[^`]*)` \| (?:`(\w+)`)? ?\| (viewer|editor|admin(?: of all projects)?)/gm),
].map(([, method = "", url = "", field, role]) => ({ method, url, field: field ?? null, role: role as Role }));

const app = useApp();
let dataset: string;
let ready: string;
let job: string;
/** A key of each kind, from the least right to the most. */
let keys: Readonly<Record<Role, string>>;
const order: readonly Role[] = ["viewer", "editor", "admin", "admin of all projects"];

beforeAll(async () => {
  dataset = await createDataset(app());
  ready = await readyDataset(app());
  const spec = { version: 1, kind: "train", dataset: ready, task: { target: "label" } };
  job = (await app().admin.post("/v1/jobs").send(spec).expect(202)).body.id;
  keys = {
    viewer: await keyFor(app(), "viewer"),
    editor: await keyFor(app(), "editor"),
    admin: await keyFor(app(), "admin", "default"),
    "admin of all projects": await keyFor(app(), "admin"),
  };
});

/** What a request of this kind sends when it is meant. */
function bodyOf({ method, url }: Right): object | undefined {
  const train = { version: 1, kind: "train", dataset: ready, task: { target: "label" } };
  const mapping = { version: 1, edges: { files: ["edges.csv"], src: "src", dst: "dst" } };
  const bodies: Readonly<Record<string, object>> = {
    "POST /v1/datasets": { name: "new" },
    "POST /v1/datasets/:id/versions": {},
    "PUT /v1/datasets/:id/spec": mapping,
    "POST /v1/datasets/:id/imports": { files: [{ url: "https://example.com/edges.csv" }] },
    "POST /v1/source-credentials": { name: "new", kind: "bearer", hosts: ["example.com"], secret: "secret" },
    "POST /v1/jobs": train,
    "POST /v1/api-keys": { name: "new", role: "viewer" },
    "PUT /v1/jobs/:id/marks": { starred: true },
    "POST /v1/jobs/:id/write-backs": { url: "postgresql://db.example.com/shop", credential: "none", table: "new" },
    "POST /v1/worker-credentials": { workerId: "new" },
    "POST /v1/projects": { name: "new" },
    "PUT /v1/projects/:id/limits": { slots: 4 },
    "PUT /v1/prices": { currency: "EUR", perRankHour: 1, perDeviceHour: 2 },
    "POST /v1/import-proposals": { url: "postgresql://db.example.com/shop", credential: "none" },
    "PUT /v1/jobs/:id/priority": { priority: 9 },
    "PUT /v1/workers/:id/drain": { drained: true },
    "POST /v1/models": { name: "new", job },
    "POST /v1/model-uploads": { name: "new" },
    "POST /v1/model-uploads/:id": { name: "new" },
    "POST /v1/sweeps": { spec: train },
    "POST /v1/sweeps/:id/promote": { name: "new" },
    "PUT /v1/model-versions/:id": { stage: "production" },
    "POST /v1/notices/read": { upTo: 1 },
    "POST /v1/webhooks": { name: "new", url: "https://example.com/", events: ["done"] },
  };
  return bodies[`${method} ${url}`];
}

async function ask(right: Right, role: Role, id: string) {
  const { method, url } = right;
  const isUpload = url.endsWith("/files");
  const headers = { authorization: keys[role], ...(isUpload ? multipartOf.headers : {}) };
  const body = isUpload ? multipartOf([{ name: "edges.csv", content: "src,dst\n" }]) : bodyOf(right);
  const answer = await app().server.inject({
    method: method as "POST",
    url: url.replace(":id", id),
    headers,
    ...(body === undefined ? {} : { payload: body }),
  });
  return answer.body.startsWith("{") ? answer.json<{ code?: string }>() : {};
}

/** Something of the kind that the request is about, which is there. */
const existing = ({ url }: Right) => (url.includes("/jobs/") ? job : dataset);

describe("the table of roles in docs/SECURITY.md", () => {
  it("has every route that changes something", () => {
    const everybody = ["POST /v1/session", "DELETE /v1/session", "POST /v1/jobs/estimate", "POST /graphql"];
    const said = new Set([...rights.map(({ method, url }) => `${method} ${url}`), ...everybody]);
    const missing = app()
      .server.declaredRoutes.filter(
        ({ method, route }) => !["GET", "HEAD", "OPTIONS"].includes(method) && route.config?.access !== "grant",
      )
      .map(({ method, url }) => `${method} ${url}`)
      .filter((name) => !said.has(name));
    expect(missing).toEqual([]);
    expect(rights.length).toBeGreaterThan(15);
  });

  it("has every mutation, and every query that not everybody may ask", async () => {
    const query = "{ __schema { mutationType { fields { name } } } }";
    const { body } = await app().admin.post("/graphql").send({ query });
    const names = body.data.__schema.mutationType.fields.map(({ name }: { name: string }) => name);
    const said = new Set(rights.map(({ field }) => field));
    expect(names.filter((name: string) => !said.has(name))).toEqual([]);
  });

  it.each(rights)("keeps $method $url from everybody below $role, and changes nothing for them", async (right) => {
    const { prisma } = app().services;
    const before = await snapshot();
    for (const role of order.slice(0, order.indexOf(right.role))) {
      expect(await ask(right, role, existing(right)), role).toMatchObject({ code: "AUTH_FORBIDDEN" });
    }
    expect(await snapshot()).toEqual(before);

    async function snapshot() {
      const versions = await prisma.datasetVersion.findMany();
      const jobs = await prisma.job.findMany();
      const counts = [
        prisma.project.count(),
        prisma.workerCredential.count(),
        prisma.sourceFile.count(),
        prisma.webhook.count(),
        prisma.import.count(),
        prisma.sourceCredential.count(),
      ];
      return {
        versions,
        jobs,
        counts: await Promise.all(counts),
        keys: await prisma.apiKey.count({ where: { revokedAt: null } }),
      };
    }
  });

  it.each(rights)("lets $role use $method $url", async (right) => {
    // Nothing by this id is there: what is asked here is who may ask.
    expect((await ask(right, right.role, "nothing")).code ?? "").not.toMatch(/^AUTH_/);
  });
});
