import { execFile } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ApiProgram } from "../support/api-program.ts";

const program = fileURLToPath(new URL("../../dist/fsck.js", import.meta.url));

const dir = mkdtempSync(join(tmpdir(), "hopwise-fsck-"));
const data = join(dir, "data");
let api: ApiProgram;
beforeAll(async () => {
  api = await ApiProgram.start(data, dir);
  await api.ready();
  const closed = await api.makeDataset("closed");
  await api.upload(closed, "edges.csv", "src,dst\na,b\n");
  await api.upload(closed, "nodes.csv", "id\na\nb\n");
  expect(await api.call("POST", `/v1/datasets/${closed}/preview`)).toMatchObject({ status: 202 });
  const open = await api.makeDataset("open");
  await api.upload(open, "later.csv", "src,dst\na,b\n");
});
afterAll(async () => {
  await api.program.kill();
  rmSync(dir, { recursive: true, force: true });
});

interface Findings {
  readonly code: number;
  readonly found: readonly { what: string; key: string; detail: string }[];
  readonly said: string;
}

function fsck(folder: string, ...flags: string[]): Promise<Findings> {
  return new Promise((resolve) => {
    const env = { PATH: process.env["PATH"], HOPWISE_DATA: folder };
    execFile(process.execPath, [program, "--json", ...flags], { env }, (error, stdout, stderr) => {
      const lines = stdout.split("\n").filter((line) => line !== "");
      const found = lines.map((line) => JSON.parse(line)).filter((line) => "what" in line);
      resolve({ code: typeof error?.code === "number" ? error.code : 0, found, said: stdout + stderr });
    });
  });
}

/** Every file of the store below `folder`, by its key. */
const keysIn = (folder: string) =>
  readdirSync(join(folder, "artifacts/projects"), { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? [join(entry.parentPath, entry.name).slice(join(folder, "artifacts/").length)] : [],
  );

it("leaves a folder alone that an API has, and says who", async () => {
  const { code, said } = await fsck(data);
  expect(code).toBe(2);
  expect(said).toContain(`is in use by process ${api.program.pid}`);
});

it("finds a copy of a folder as good as the original, and in it what is damaged, missing or nobody's", async () => {
  await api.program.kill("SIGTERM");
  const copy = join(dir, "copy");
  cpSync(data, copy, { recursive: true });
  expect(await fsck(copy)).toMatchObject({ code: 0, found: [] });

  const keys = keysIn(copy);
  const [edges, nodes, manifest] = ["files/0", "files/1", "manifest.json"].map(
    (name) =>
      keys.find((key) => key.endsWith(name) && keys.includes(`${key.slice(0, -name.length)}manifest.json`)) ?? "",
  ) as [string, string, string];
  const open = keys.find((key) => key.endsWith("files/0") && key !== edges) ?? "";
  const write = (key: string, text: string) => {
    const path = join(copy, "artifacts", key);
    mkdirSync(dirname(path), { recursive: true });
    if (existsSync(path)) chmodSync(path, 0o644);
    writeFileSync(path, text);
  };
  write(edges, "src,dst\na,c\n");
  rmSync(join(copy, "artifacts", nodes));
  write(open, "src,dst\na,c\n");
  write("projects/default/jobs/job_gone/a1/0-train/model.safetensors", "x");
  const { code, found } = await fsck(copy, "--mark");
  expect(code).toBe(1);
  expect(new Map(found.map(({ key, what }) => [key, what]))).toEqual(
    new Map([
      [edges, "damaged"],
      [nodes, "missing"],
      [open, "damaged"],
      ["projects/default/jobs/job_gone/a1/0-train/model.safetensors", "orphaned"],
    ]),
  );
  expect(found.find(({ key }) => key === edges)?.detail).toMatch(/sha256.*upload it to a new version/);

  write(edges, "src,dst\na,b\n");
  write(nodes, "id\na\nb\n");
  write(open, "src,dst\na,b\n");
  write(manifest, '{"version":1}');
  expect((await fsck(copy)).found.filter(({ what }) => what !== "orphaned")).toMatchObject([
    { what: "damaged", key: manifest },
  ]);
});

it("makes no database where there is none", async () => {
  const { code, said } = await fsck(join(dir, "nowhere"));
  expect(code).toBe(2);
  expect(said).toContain("There is no database in");
});
