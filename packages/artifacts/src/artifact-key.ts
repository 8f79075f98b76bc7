import { ArtifactError } from "./artifact-error.ts";

const segment = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}$/;
const maxKeyLength = 900;

/**
 * Keys are slash-separated segments of letters, digits, `.`, `_` and `-`; no segment starts with a dot. So no key
 * can leave the store, hide in it, or name its temporary files, on any file system or S3.
 *
 * @throws ArtifactError ARTIFACT_KEY_INVALID
 */
export function assertKey(key: string): void {
  if (key.length <= maxKeyLength && key.split("/").every((part) => segment.test(part))) return;
  throw new ArtifactError(
    "ARTIFACT_KEY_INVALID",
    `${JSON.stringify(key.slice(0, 200))} is not an artifact key; expected segments of A-Z a-z 0-9 . _ - between slashes, none starting with a dot.`,
  );
}
