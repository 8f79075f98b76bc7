import { fileURLToPath } from "node:url";
import { ArtifactError } from "./artifact-error.ts";
import type { ArtifactStore, BlobStore } from "./artifact-store.ts";
import { HttpArtifactStore, type HttpStoreServer, type StoreAccess } from "./http/http-artifact-store.ts";
import { LocalArtifactStore, type LocalStoreOptions } from "./local-artifact-store.ts";

/**
 * Opens the store that a URL names, whole: `file:///var/lib/hopwise/artifacts`, or a bucket of S3:
 * `s3://bucket/prefix?region=eu-central-1`.
 *
 * @throws ArtifactError ARTIFACT_URL_INVALID; the URL itself is not repeated, it may hold a secret. Of a bucket
 * ARTIFACT_REFUSED and ARTIFACT_UNREACHABLE, too
 */
export async function openArtifactStore(url: string, options: LocalStoreOptions = {}): Promise<ArtifactStore> {
  const parsed = parse(url);
  if (parsed?.protocol === "file:") return LocalArtifactStore.open(fileURLToPath(parsed), options);
  if (parsed?.protocol === "s3:") {
    // A second of loading that only who has a bucket pays for.
    const { S3ArtifactStore } = await import("./s3/s3-artifact-store.ts");
    return S3ArtifactStore.open(parsed);
  }
  throw invalid(parsed, "file:// or s3://");
}

/** A store of which each holder uses what its grant names. */
export interface GrantedStores {
  /** Whether a grant decides; false: the store is a folder here, and lies open. */
  readonly needsGrant: boolean;
  /** @throws ArtifactError ARTIFACT_REFUSED when there is no grant where one is needed */
  open(access: Pick<StoreAccess, "signal"> & { readonly grant?: string | undefined }): GrantedStore;
}

export interface GrantedStore {
  readonly store: BlobStore;
  /** Has the grant renewed no more. */
  readonly release: () => void;
}

export interface GrantedStoreOptions extends Omit<HttpStoreServer, "url">, LocalStoreOptions {
  /** Between two renewals of a grant: a fraction of its life. */
  readonly renewMs: number;
  /** A renewal failed; the next comes `renewMs` later. */
  readonly onRenewalFailed: (error: unknown) => void;
}

/**
 * Opens the store that a URL names for those who work for it: a folder (`file://`), or what the API gives for a grant
 * (`http://`, `https://`).
 *
 * @throws ArtifactError ARTIFACT_URL_INVALID; the URL itself is not repeated, it may hold a secret
 */
export async function openGrantedStores(url: string, options: GrantedStoreOptions): Promise<GrantedStores> {
  const parsed = parse(url);
  if (parsed?.protocol === "file:") {
    const store = await LocalArtifactStore.open(fileURLToPath(parsed), options);
    return { needsGrant: false, open: () => ({ store, release: () => {} }) };
  }
  const isHttp = parsed?.protocol === "http:" || parsed?.protocol === "https:";
  if (isHttp && !parsed.username && !parsed.password && !parsed.search && !parsed.hash) {
    return { needsGrant: true, open: (access) => openOverHttp({ ...options, url: parsed.href }, access) };
  }
  const ofApi = "http:// or https:// (the API's address, without a user, query or fragment)";
  throw invalid(parsed, parsed?.protocol === "s3:" ? `${ofApi} for a worker of a bucket` : `file://, ${ofApi}`);
}

function openOverHttp(
  { renewMs, onRenewalFailed, ...server }: GrantedStoreOptions & HttpStoreServer,
  { grant, signal }: Parameters<GrantedStores["open"]>[0],
): GrantedStore {
  if (grant === undefined) {
    const found = "The task carries no grant for the artifact store";
    throw new ArtifactError("ARTIFACT_REFUSED", `${found}; run the same release of API and worker.`);
  }
  const store = new HttpArtifactStore(server, { grant, signal });
  const renewal = setInterval(() => void store.renewGrant().catch(onRenewalFailed), renewMs).unref();
  const release = () => {
    clearInterval(renewal);
    store.close();
  };
  return { store, release };
}

function parse(url: string): URL | null {
  return URL.canParse(url) ? new URL(url) : null;
}

function invalid(parsed: URL | null, expected: string): ArtifactError {
  const found = parsed ? `${parsed.protocol}//` : "no scheme";
  return new ArtifactError(
    "ARTIFACT_URL_INVALID",
    `This artifact store's URL starts with ${expected}; found ${found}.`,
  );
}
