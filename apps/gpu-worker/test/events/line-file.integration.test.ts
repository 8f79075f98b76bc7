import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { canMountDisks, SmallDisk } from "../../../../test/support/small-disk.ts";
import { until } from "../../../../test/support/until.ts";
import { LineFile } from "../../src/events/line-file.ts";

describe.skipIf(!canMountDisks)("a file of lines on a full disk", () => {
  let disk: SmallDisk;
  let path: string;
  let lines: string[];
  beforeEach(() => {
    disk = new SmallDisk(1);
    path = join(disk.dir, "outbox.ndjson");
    lines = ["head"];
  });
  afterEach(() => disk.remove());

  const onDisk = () => readFileSync(path, "utf8").split("\n").slice(0, -1);
  function append(file: LineFile, line: string): void {
    lines.push(line);
    file.append(line);
  }

  test("falls behind without a word and holds every line once there is room again", async () => {
    const file = new LineFile(path, () => lines);
    append(file, "one");
    disk.fill();
    const long = "x".repeat(10_000);
    for (let i = 0; i < 100; i++) append(file, `${i} ${long}`);
    expect(onDisk().slice(0, 2)).toEqual(["head", "one"]);
    expect(existsSync(`${path}.new`)).toBe(false);
    disk.empty();
    lines = lines.slice(-20);
    await until("the file", () => {
      append(file, "later");
      return onDisk().includes("later");
    });
    expect(onDisk()).toEqual(lines.slice(0, onDisk().length));
    file.close();
  });

  test("begins on a full disk too", async () => {
    disk.fill();
    const file = new LineFile(path, () => lines);
    for (let i = 0; i < 3; i++) append(file, "y".repeat(10_000));
    disk.empty();
    await until("the file", () => {
      file.catchUp();
      return existsSync(path) && onDisk().length === lines.length;
    });
    expect(onDisk()).toEqual(lines);
    file.close();
  });
});
