import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { cp, mkdir, rename } from "node:fs/promises";
import { join } from "node:path";
import type { ArtifactDir } from "../../packages/gnn-core/src/io/manifest.ts";
import { readManifestFile } from "../../packages/gnn-core/src/io/manifest-file.ts";

/** Artifacts by what they are made of, each made once; in a folder that is kept, once for all processes. */
export class MadeArtifacts {
  readonly #scratch: string;
  readonly #kept: string | null;
  readonly #made = new Map<string, Promise<ArtifactDir>>();
  #count = 0;

  /**
   * @param scratch folder where they are made
   * @param kept    folder that has them from before, and gets those that are made; null: they end with `scratch`
   */
  constructor(scratch: string, kept: string | null = null) {
    this.#scratch = scratch;
    this.#kept = kept;
  }

  /**
   * @param what all that decides the content, as JSON
   * @param make      is given a folder of its own; not called where the artifact is there
   * @param isBetween others are made of it and nothing else reads it: it ends with `scratch`. Default: it is kept
   */
  once(what: unknown, make: (into: string) => Promise<ArtifactDir>, isBetween = false): Promise<ArtifactDir> {
    const key = JSON.stringify(what);
    const made = this.#made.get(key) ?? this.#make(key, make, isBetween ? null : this.#kept);
    this.#made.set(key, made);
    return made;
  }

  async #make(key: string, make: (into: string) => Promise<ArtifactDir>, kept: string | null): Promise<ArtifactDir> {
    const into = join(this.#scratch, `artifact-${this.#count++}`);
    if (kept === null) return make(into);
    const dir = join(kept, createHash("sha256").update(key).digest("hex").slice(0, 16));
    if (!existsSync(dir)) {
      const made = await make(into);
      await mkdir(kept, { recursive: true });
      // Renamed when whole: a copy that was cut short is none.
      await cp(made.dir, `${dir}.${process.pid}`, { recursive: true });
      await rename(`${dir}.${process.pid}`, dir);
    }
    return readManifestFile(dir);
  }
}
