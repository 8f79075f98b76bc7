import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCli } from "./support/run-cli.ts";
import { bashOffers, fishOffers, hasShell, zshLines } from "./support/shells.ts";

const dir = mkdtempSync(join(tmpdir(), "hw-completion-"));
const env = { url: undefined, key: undefined, profile: "default", configFile: join(dir, "config.json") };
const script = (shell: string) => join(dir, `hopwise.${shell}`);

beforeAll(async () => {
  writeFileSync(join(dir, "my nodes.csv"), "");
  for (const shell of ["bash", "zsh", "fish"]) {
    const { code, out } = await runCli(["completion", shell], env);
    expect(code).toBe(0);
    writeFileSync(script(shell), out);
  }
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** What the help of a command says: independent of what is made for shells. */
async function helpOf(...path: string[]): Promise<{ options: string[]; commands: string[] }> {
  const { out } = await runCli([...path, "--help"], env);
  const section = (title: string) => out.split(`${title}:\n`)[1]?.split("\n\n")[0] ?? "";
  const names = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = ""]) => name);
  return {
    options: names(section("Options"), /^ {2}(?:-\w, )?(--[\w-]+)/gm),
    commands: names(section("Commands"), /^ {2}([\w-]+)/gm).filter((name) => name !== "help"),
  };
}

describe.skipIf(!hasShell("bash"))("in bash", () => {
  const offers = (...words: string[]) => bashOffers(script("bash"), ["hopwise", ...words], dir);

  it("every command offers the options and commands that its help has, and those of the program", async () => {
    const { commands } = await helpOf();
    expect(commands.length).toBeGreaterThan(12);
    expect(await offers("")).toEqual(expect.arrayContaining(commands));
    for (const command of commands) {
      const help = await helpOf(command);
      expect(await offers(command, "--"), command).toEqual(
        expect.arrayContaining([...help.options, "--json", "--profile"]),
      );
      if (help.commands.length > 0) expect(await offers(command, "")).toEqual(expect.arrayContaining(help.commands));
    }
  });

  it("a word begun is gone on with, whatever options stand before it", async () => {
    expect(await offers("trai")).toEqual(["train"]);
    expect(await offers("--profile", "models", "--json", "trai")).toEqual(["train"]);
    expect(await offers("train", "--se")).toEqual(expect.arrayContaining(["--seed", "--seeds", "--set"]));
    expect(await offers("train", "--name", "models", "--wat")).toEqual(["--watch"]);
  });

  it("values are offered where they are known, and nothing where they are not", async () => {
    expect(await offers("download", "job_1", "--what", "")).toEqual(["embeddings", "predictions", "model"]);
    expect(await offers("download", "job_1", "--format", "=", "arr")).toEqual(["arrow"]);
    expect(await offers("train", "--model", "")).toEqual([""]);
    expect(await offers("completion", "f")).toEqual(["fish"]);
  });

  it("files are offered where files are meant, with spaces in their names", async () => {
    expect(await offers("upload", "my")).toEqual(["my nodes.csv"]);
    expect(await offers("train", "--spec", "my")).toEqual(["my nodes.csv"]);
    expect(await offers("download", "-o", "my")).toEqual(["my nodes.csv"]);
    expect(await offers("jobs", "my")).toEqual([""]);
  });
});

describe.skipIf(!hasShell("fish"))("in fish", () => {
  const offers = (line: string) => fishOffers(script("fish"), line, dir);

  it("commands, options, values and files are offered", async () => {
    expect(await offers("hopwise trai")).toEqual(["train"]);
    expect(await offers("hopwise --profile models trai")).toEqual(["train"]);
    expect(await offers("hopwise models ")).toEqual(["archive", "delete", "keep", "promote", "show"]);
    expect(await offers("hopwise train --se")).toEqual(["--seed", "--seeds", "--set"]);
    expect(await offers("hopwise download --what ")).toEqual(["embeddings", "model", "predictions"]);
    expect(await offers("hopwise upload my")).toEqual(["my nodes.csv"]);
  });
});

describe.skipIf(!hasShell("zsh"))("in zsh", () => {
  it("a line is gone on with by the tabulator", async () => {
    const typed = [
      "hopwise trai",
      "hopwise --profile models trai",
      "hopwise train --gra",
      "hopwise download --what pre",
      "hopwise models pro",
      "hopwise upload m",
    ];
    expect(await zshLines(script("zsh"), typed, dir)).toEqual([
      "hopwise train |",
      "hopwise --profile models train |",
      "hopwise train --graph-name |",
      "hopwise download --what predictions |",
      "hopwise models promote |",
      String.raw`hopwise upload my\ nodes.csv |`,
    ]);
  });
});
