import { chmod, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { CliError } from "../cli-error.ts";

/** Where a service is, and the key for it. */
export interface Profile {
  readonly url: string;
  readonly key: string;
}

type Profiles = Readonly<Record<string, Profile>>;

/** The profiles by name; none when there is no file yet. @throws CliError when the file is not one of ours */
export async function readProfiles(file: string): Promise<Profiles> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "{}";
    throw error;
  });
  const parsed = parse(text);
  if (parsed) return parsed;
  throw new CliError("usage", `${file} is no file of profiles; remove it and log in again.`);
}

/** Writes a profile beside those that there are. The file is its owner's alone (mode 0600): it has a key in it. */
export async function writeProfile(file: string, name: string, profile: Profile): Promise<void> {
  await writeProfiles(file, { ...(await readProfiles(file)), [name]: profile });
}

/** Forgets a profile. @returns whether there was one of this name */
export async function removeProfile(file: string, name: string): Promise<boolean> {
  const profiles = await readProfiles(file);
  if (!Object.hasOwn(profiles, name)) return false;
  await writeProfiles(file, Object.fromEntries(Object.entries(profiles).filter(([other]) => other !== name)));
  return true;
}

async function writeProfiles(file: string, profiles: Profiles): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const temporary = `${file}.${process.pid}`;
  await writeFile(temporary, `${JSON.stringify(profiles, null, 2)}\n`, { mode: 0o600 });
  // A file that was there keeps its mode when it is written; this one has its own before it has its name.
  await chmod(temporary, 0o600);
  await rename(temporary, file);
}

function parse(text: string): Profiles | null {
  try {
    const value: unknown = JSON.parse(text);
    const isRecord = (one: unknown): one is Record<string, unknown> =>
      typeof one === "object" && one !== null && !Array.isArray(one);
    if (!isRecord(value)) return null;
    const isProfile = (one: unknown) =>
      isRecord(one) && typeof one["url"] === "string" && typeof one["key"] === "string";
    return Object.values(value).every(isProfile) ? (value as Profiles) : null;
  } catch {
    return null;
  }
}
