import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { hasPython } from "../../../../test/support/python.ts";
import { pythonText } from "../../src/services/request-text.ts";

const spec = {
  version: 1,
  kind: "train",
  name: 'it\'s "two"\nlines, é, \u2028 and 📄',
  model: { type: "gcn", options: {} },
  sampling: { options: { fanouts: [10, 25], replace: false } },
  train: { maxDuration: null, optimizer: { options: { lr: 1e-7 } }, shuffle: true, left: undefined },
};

describe("the request as a program in Python", () => {
  test("names the service and no key, and waits for a job or a sweep", () => {
    expect(pythonText(spec, null, "http://x")).toContain('client = Client("http://x")  # the key: HOPWISE_API_KEY');
    expect(pythonText(spec, null, "http://x")).toMatch(/submit_job\(body\)\nprint\(client\.wait\(job\)/);
    expect(pythonText(spec, { grid: {}, seeds: [0, 1] }, "http://x")).toMatch(
      /submit_sweep\(body\)\nprint\(.*wait_sweep/,
    );
  });

  test.skipIf(!hasPython)("carries the same values as the JSON that is sent", () => {
    const sweep = { grid: { "model.type": ["it's", "sage"] }, seeds: [0, 3] };
    for (const [parts, sent] of [
      [null, spec],
      [sweep, { spec, ...sweep }],
    ] as const) {
      const [, value = ""] = /^body = (.*)^(?:job|sweep) = /ms.exec(pythonText(spec, parts, "http://x")) ?? [];
      const asJson = "import ast, json, sys; print(json.dumps(ast.literal_eval(sys.stdin.read())))";
      const read = execFileSync("python3", ["-c", asJson], {
        input: value,
        encoding: "utf8",
        env: { ...process.env, PYTHONUTF8: "1" },
      });
      expect(JSON.parse(read)).toEqual(JSON.parse(JSON.stringify(sent)));
    }
  });
});
