// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { DatasetUpload, withFiles } from "../../src/services/dataset-upload.ts";
import { speedOf } from "../../src/services/upload-pace.ts";
import { dropPlan, keepPlan, missingFiles } from "../../src/services/upload-plan.ts";

beforeEach(() => localStorage.clear());
afterEach(() => vi.unstubAllGlobals());

test("a file of a name that is chosen or there takes the other's place, and says so", () => {
  const first = new File(["1"], "edges.csv");
  const second = new File(["22"], "edges.csv");
  const nodes = new File(["3"], "nodes.csv");
  const items = withFiles(withFiles([], [first]), [second, nodes], ["nodes.csv"]);
  expect(items.map(({ file, replaces }) => [file, replaces])).toEqual([
    [second, "It takes the place of the “edges.csv” that was chosen before."],
    [nodes, "It takes the place of the “nodes.csv” that the dataset has."],
  ]);
});

test("two dropped folders with a file of one name each keep both files, behind the names of their folders", () => {
  const dropped = (path: string) => Object.defineProperty(new File(["1"], "part-0.parquet"), "path", { value: path });
  const [a, b] = [dropped("/a/part-0.parquet"), dropped("./b/part-0.parquet")];
  const items = withFiles([], [a, b, dropped("./part-0.parquet")]);
  expect(items.map(({ name }) => name)).toEqual(["a/part-0.parquet", "b/part-0.parquet", "part-0.parquet"]);
});

test("what was to be sent and has not arrived whole is missing, until the plan is dropped", () => {
  const plan = [
    { name: "edges.csv", bytes: 10 },
    { name: "nodes.csv", bytes: 20 },
    { name: "größe.csv".normalize("NFD"), bytes: 30 },
  ];
  keepPlan("ds_1", plan);
  const nothing = plan.map((file) => ({ ...file, arrivedBytes: 0 }));
  expect(missingFiles("ds_1", [])).toEqual(nothing);
  const arrived = [
    { name: "edges.csv", bytes: 10 },
    { name: "nodes.csv", bytes: 19 },
    { name: "größe.csv".normalize("NFC"), bytes: 30 },
  ];
  expect(missingFiles("ds_1", arrived)).toEqual([{ name: "nodes.csv", bytes: 20, arrivedBytes: 0 }]);
  // What anybody has begun to send is missing too, and what has arrived of it is told.
  const partial = [
    { name: "nodes.csv", bytes: 20, arrivedBytes: 7 },
    { name: "more.csv", bytes: 5, arrivedBytes: 1 },
  ];
  expect(missingFiles("ds_1", arrived, partial)).toEqual(partial);
  expect(missingFiles("ds_2", [])).toEqual([]);
  dropPlan("ds_1");
  expect(missingFiles("ds_1", [])).toEqual([]);
});

test("what another program has left in the browser's store is no plan", () => {
  for (const text of ["{", "null", '{"name":1}', '[{"name":"a"}]']) {
    localStorage.setItem("hopwise.upload.ds_1", text);
    expect(missingFiles("ds_1", [])).toEqual([]);
  }
});

test("speed and time left are told once there is something to measure", () => {
  const pace = { sentBytes: 4_000_000, totalBytes: 10_000_000, startedAtMs: 1000 };
  expect(speedOf(pace, 1100)).toBeNull();
  expect(speedOf({ ...pace, sentBytes: 0 }, 9000)).toBeNull();
  // 4 MB in 2 s, 6 MB to go.
  expect(speedOf(pace, 3000)).toEqual({ bytesPerSecond: 2_000_000, secondsLeft: 3 });
});

test("a dataset that was made for files of which the first is refused does not stay, and is made anew", async () => {
  const asked: string[] = [];
  const refusal = { code: "REQUEST_TOO_LARGE", title: "Too large", status: 413, detail: "It is too large." };
  const answers: Record<string, () => Response> = {
    "POST /v1/datasets": () => Response.json({ id: `ds_${asked.length}` }, { status: 201 }),
    "DELETE /v1/datasets/ds_1": () => new Response(null, { status: 204 }),
  };
  vi.stubGlobal("fetch", async (url: string, { method = "GET" }: RequestInit = {}) => {
    const line = `${method} ${new URL(url, "http://localhost").pathname}`;
    asked.push(line);
    return answers[line]?.() ?? Response.json(refusal, { status: 413 });
  });
  const upload = new DatasetUpload(null);
  upload.setName("papers");
  upload.add([new File(["src,dst\n"], "edges.csv")]);
  await vi.waitFor(() => expect(upload.state().items).toHaveLength(1));
  await upload.start();
  expect(upload.state()).toMatchObject({ datasetId: null, name: "papers", problem: { code: "REQUEST_TOO_LARGE" } });
  expect(asked.at(-1)).toBe("DELETE /v1/datasets/ds_1");
  await upload.start();
  expect(asked.filter((line) => line === "POST /v1/datasets")).toHaveLength(2);
});
