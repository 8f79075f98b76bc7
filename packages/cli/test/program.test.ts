import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { openClient } from "../src/config/open-client.ts";
import { readProfiles, writeProfile } from "../src/config/profiles.ts";
import { duration, progressLine } from "../src/output/progress.ts";
import { formatTable } from "../src/output/table.ts";
import { runCli } from "./support/run-cli.ts";

const dir = mkdtempSync(join(tmpdir(), "hw-cli-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const env = { url: undefined, key: undefined, profile: "default", configFile: join(dir, "config.json") };

const run = (args: readonly string[], settings: { key?: string } = {}) => runCli(args, { ...env, ...settings });

describe("a run of hopwise", () => {
  it("ends with 2 where the command line is wrong, and says what there is", async () => {
    const unknown = await run(["fly"]);
    expect(unknown).toMatchObject({ code: 2, out: "" });
    expect(unknown.err).toMatch(/unknown command 'fly'/);
    expect(await run(["jobs", "--first", "few"], { key: "hw_x" })).toMatchObject({ code: 2 });
    expect((await run(["--help"])).out).toMatch(/login.*\n[^]*train/);
  });

  it("tells programs in JSON what is wrong with a command line", async () => {
    for (const args of [["fly"], ["train", "--epochs", "many"], ["logs", "job_1", "--level", "loud"], ["infer"]]) {
      const { code, out, err } = await run([...args, "--json"], { key: "hw_x" });
      expect({ code, out }, args.join(" ")).toEqual({ code: 2, out: "" });
      expect(JSON.parse(err).error, err).toMatchObject({ code: "USAGE", message: expect.any(String) });
    }
  });

  it("ends with 3 without a service or a key for it, and tells programs so in JSON", async () => {
    const { code, err } = await run(["jobs", "--json"]);
    expect(code).toBe(3);
    expect(JSON.parse(err).error.message).toMatch(/begin with: hopwise login/);
  });

  it("ends with 6 where nothing answers", async () => {
    const { code, err } = await run(["cancel", "job_1", "--url", "http://127.0.0.1:1"], { key: "hw_x" });
    expect(code).toBe(6);
    expect(err).toMatch(/^hopwise: UNREACHABLE: /);
  });
});

describe("profiles", () => {
  const file = join(dir, "folder", "config.json");

  it("are written beside each other, in a file that is its owner's alone", async () => {
    await writeProfile(file, "default", { url: "http://one", key: "hw_1" });
    writeFileSync(file, await readText(), { mode: 0o644 });
    await writeProfile(file, "other", { url: "http://two", key: "hw_2" });
    expect(Object.keys(await readProfiles(file))).toEqual(["default", "other"]);
    expect(statSync(file).mode & 0o777).toBe(0o600);

    async function readText() {
      return JSON.stringify(await readProfiles(file));
    }
  });

  it("do not send their key to another address", async () => {
    const at = { ...env, configFile: file };
    await expect(openClient(at, "default", "http://elsewhere")).rejects.toThrow(
      /There is no key for http:\/\/elsewhere/,
    );
    expect((await openClient(at, "default", undefined)).url).toBe("http://one");
    expect((await openClient({ ...at, key: "hw_3" }, "default", "http://elsewhere")).url).toBe("http://elsewhere");
  });

  it("are refused where the file is another one", async () => {
    const other = join(dir, "other.json");
    writeFileSync(other, "[1]");
    await expect(readProfiles(other)).rejects.toThrow(/is no file of profiles/);
  });
});

describe("the list of profiles", () => {
  const configFile = join(dir, "list.json");

  it("marks the one that is used, shows no key, and loses what is removed", async () => {
    await writeProfile(configFile, "default", { url: "http://one", key: "hw_1" });
    await writeProfile(configFile, "other", { url: "http://two", key: "hw_2" });
    const list = await runCli(["profiles", "--profile", "other"], { ...env, configFile });
    expect(list.out).toMatch(/\* +other +http:\/\/two/);
    expect(list.out).not.toMatch(/hw_/);
    expect((await runCli(["profiles", "remove", "other"], { ...env, configFile })).code).toBe(0);
    expect(Object.keys(await readProfiles(configFile))).toEqual(["default"]);
    expect((await runCli(["profiles", "remove", "other"], { ...env, configFile })).code).toBe(4);
  });
});

describe("what is shown", () => {
  it("stands in columns, and steers no terminal", () => {
    expect(
      formatTable(
        ["ID", "NAME"],
        [
          ["1", "a\u001b[31m"],
          ["22", "b"],
        ],
      ),
    ).toBe("ID  NAME\n1   a·[31m\n22  b");
    expect(formatTable(["ID"], [])).toBe("");
  });

  it("is the stage, phase, amount, share and time left", () => {
    const stage = {
      stageIndex: 1,
      kind: "train",
      state: "RUNNING",
      cached: false,
      phase: "epochs",
      problem: null,
    } as const;
    expect(progressLine({ ...stage, completed: 5, total: 20, unit: "epochs", etaSeconds: 75 })).toBe(
      "train:  epochs  5 of 20 epochs  25 %  1 min 15 s left",
    );
    expect(progressLine({ ...stage, completed: null, total: null, unit: null, etaSeconds: null })).toBe(
      "train:  epochs",
    );
    expect([duration(12.4), duration(3900)]).toEqual(["12 s", "1 h 5 min"]);
  });
});
