export {
  manifestName,
  type PublishableManifest,
  parseManifest,
  publishArtifact,
  readManifest,
  type StoredManifest,
} from "./artifact.ts";
export { ArtifactCache, type ArtifactCacheOptions, type CachedArtifact } from "./artifact-cache.ts";
export { ArtifactError, type ArtifactErrorCode } from "./artifact-error.ts";
export { assertKey } from "./artifact-key.ts";
export type { ArtifactStore, BlobSource, BlobStat, BlobStore, ByteRange, StoredBlob } from "./artifact-store.ts";
export type { BlobSelection } from "./blob-selection.ts";
export { deleteArtifact } from "./delete-artifact.ts";
export {
  type FolderHolder,
  FolderInUse,
  type FolderLock,
  folderHolder,
  lockFolder,
  thisHolder,
} from "./folder-lock.ts";
export { freeBytes, isDiskFull, requireSpace, storageFull } from "./full-disk.ts";
export { HttpArtifactStore, type HttpStoreServer, type StoreAccess } from "./http/http-artifact-store.ts";
export { LocalArtifactStore, type LocalStoreOptions } from "./local-artifact-store.ts";
export {
  type GrantedStore,
  type GrantedStoreOptions,
  type GrantedStores,
  openArtifactStore,
  openGrantedStores,
} from "./open-artifact-store.ts";
export { closeToOthers, keepPrivate } from "./private-folder.ts";
export { type ExpectedBlob, VerifiedBlobs, type VerifyOptions } from "./verified-blobs.ts";
