import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PreviewInfo } from "../../../packages/gnn-core/src/io/preview/preview-info.ts";
import { filesArtifactIn } from "../../../packages/gnn-core/test/support/step-runner.ts";
import type { Dice } from "../dice.ts";
import type { Outcome, Target } from "../target.ts";
import { damageFile } from "./damage-file.ts";
import { judgePreview, judgeRefusal } from "./judge-refusal.ts";
import { makeSamples, type Sample } from "./samples.ts";
import { type StepEnd, StepProcess } from "./step-process.ts";

interface FormatsCase {
  readonly family: string;
  readonly title: string;
  readonly damaged: string;
  /** By name, in base64 */
  readonly files: Readonly<Record<string, string>>;
  /** The mapping that they are read by: the one proposed for the files as they were, or for these. */
  readonly mapping: "ofWhole" | "ofDamaged";
}

/**
 * Valid files of every format, one of which is damaged, previewed and ingested as a worker does it. Each case is read,
 * or refused by an error that names the file; anything else is a fault, and so is more memory or time than allowed.
 */
export class FormatsTarget implements Target<FormatsCase> {
  readonly name = "formats";
  readonly #families: readonly (readonly Sample[])[];
  readonly #steps = new StepProcess();
  readonly #ofWhole = new Map<string, StepEnd>();

  private constructor(samples: readonly Sample[]) {
    const names = [...new Set(samples.map(({ family }) => family))];
    this.#families = names.map((name) => samples.filter(({ family }) => family === name));
  }

  /** @param family takes the samples of families alone whose names have this; left out: all */
  static async open(family = ""): Promise<FormatsTarget> {
    const samples = (await makeSamples()).filter((sample) => sample.family.includes(family));
    if (samples.length === 0) throw new Error(`No family of samples is called "${family}".`);
    return new FormatsTarget(samples);
  }

  get samples(): readonly Sample[] {
    return this.#families.flat();
  }

  generate(dice: Dice): FormatsCase {
    const { family, title, files } = dice.pick(dice.pick(this.#families));
    const damaged = dice.pick(Object.keys(files));
    const contents = Object.entries(files).map(([name, bytes]) => {
      const given = name === damaged ? damageFile(dice, name, bytes) : bytes;
      return [name, Buffer.from(given).toString("base64")] as const;
    });
    const mapping = dice.chance(0.5) ? "ofWhole" : "ofDamaged";
    return { family, title, damaged, files: Object.fromEntries(contents), mapping };
  }

  async run({ family, title, files, mapping }: FormatsCase): Promise<Outcome> {
    const contents = Object.entries(files).map(([name, text]) => [name, Buffer.from(text, "base64")] as const);
    const whole = await this.#lookAtWhole(family, title);
    const ofWhole = proposedBy(whole);
    if (ofWhole === null) {
      const fault = `${family}, ${title}: nothing is proposed for the files whole: ${JSON.stringify(whole)}`;
      return { kind: "trouble", fault };
    }
    return inFolder(async (dir) => {
      const uploaded = await filesArtifactIn(join(dir, "files"), Object.fromEntries(contents));
      const end = await this.#steps.run({ step: "map", options: {}, files: uploaded, dir: join(dir, "map") });
      const names = Object.keys(files);
      const previewed = end.info === null ? judgeRefusal(end, names) : judgePreview(end.info as unknown as PreviewInfo);
      if (previewed.fault !== null) return { ...previewed, fault: `map: ${previewed.fault}` };
      const options = mapping === "ofWhole" ? ofWhole : proposedBy(end);
      if (options === null) return previewed;
      const ingested = await this.#steps.run({ step: "ingest", options, files: uploaded, dir: join(dir, "ingest") });
      const { kind, fault } = judgeRefusal(ingested, names);
      return { kind, fault: fault === null ? null : `ingest: ${fault}` };
    });
  }

  /** What a preview of the files says as they are, without damage; one that ended otherwise is tried again. */
  async #lookAtWhole(family: string, title: string): Promise<StepEnd> {
    const key = JSON.stringify([family, title]);
    const known = this.#ofWhole.get(key);
    if (known !== undefined) return known;
    const sample = this.samples.find((one) => one.family === family && one.title === title);
    const end = await inFolder(async (dir) => {
      const uploaded = await filesArtifactIn(join(dir, "files"), { ...sample?.files });
      return this.#steps.run({ step: "map", options: {}, files: uploaded, dir: join(dir, "map") });
    });
    if (proposedBy(end) !== null) this.#ofWhole.set(key, end);
    return end;
  }

  get peakBytes(): number {
    return this.#steps.peakBytes;
  }

  async close(): Promise<void> {
    await this.#steps.end();
  }
}

/** How a preview would map the files; null: it proposes nothing. */
function proposedBy({ info }: StepEnd): PreviewInfo["proposed"] {
  return (info as PreviewInfo | null)?.proposed ?? null;
}

async function inFolder<T>(work: (dir: string) => Promise<T>): Promise<T> {
  const dir = mkdtempSync(join(tmpdir(), "hw-formats-"));
  try {
    return await work(dir);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
