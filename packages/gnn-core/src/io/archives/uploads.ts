import type { Bundle } from "../bundles/bundle.ts";
import { findBundles, writeBundle } from "../bundles/find-bundles.ts";
import { fileKindOf } from "../file-kind.ts";
import { findUploaded, type UploadedFile } from "../uploaded-files.ts";
import { isArchive } from "./archive-kind.ts";
import { type UnpackingContext, unpackMember } from "./unpacked-members.ts";

/** What was uploaded, by the names that a dataset spec uses: those of files, and of files in archives. */
export class Uploads {
  readonly #files: readonly UploadedFile[];
  readonly #context: UnpackingContext;
  /** By name. A file that two sections read is unpacked once. */
  readonly #unpacked = new Map<string, UploadedFile>();
  #bundles: readonly Bundle[] | null = null;

  constructor(files: readonly UploadedFile[], context: UnpackingContext) {
    this.#files = files;
    this.#context = context;
  }

  /**
   * A file by its name; one in an archive is unpacked first.
   *
   * @throws GnnError DATASET_FILE_MISSING naming what there is, and what `openArchive` throws
   */
  async find(name: string): Promise<UploadedFile> {
    const known = this.#unpacked.get(name) ?? (await this.#inBundle(name));
    if (known) return known;
    const archive = this.#files.find((file) => name.startsWith(`${file.name}/`));
    const member = archive && (await isArchive(archive)) ? await unpackMember(archive, name, this.#context) : null;
    const found = member ?? (await this.#inWorkbook(name));
    if (!found) return findUploaded(this.#files, name);
    this.#unpacked.set(name, found);
    return found;
  }

  /** The workbook of a sheet, which is called by its name behind the workbook's, under the name of the sheet. */
  async #inWorkbook(name: string): Promise<UploadedFile | null> {
    const workbook = name.slice(0, Math.max(0, name.lastIndexOf("/")));
    if (workbook === "" || this.#files.some((file) => file.name === name)) return null;
    const found = await this.find(workbook).catch(() => null);
    return found && (await fileKindOf(found.path)).kind === "xlsx" ? { ...found, name } : null;
  }

  /** From now on another file is found by this name, such as a table made from it. */
  replace(name: string, file: UploadedFile): void {
    this.#unpacked.set(name, file);
  }

  /** A table that is made of several files; all tables of its bundle are made at once. */
  async #inBundle(name: string): Promise<UploadedFile | null> {
    if (!name.includes("/")) return null;
    this.#bundles ??= await findBundles(this.#files, this.#context);
    const bundle = this.#bundles.find(({ anchor }) => name.startsWith(`${anchor}/`));
    if (!bundle) return null;
    for (const table of await writeBundle(bundle, this.#files, this.#context, null))
      this.#unpacked.set(table.name, table);
    return this.#unpacked.get(name) ?? null;
  }
}
