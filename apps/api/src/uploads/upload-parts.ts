import { Receivers } from "./receivers.ts";
import { type FinisherOptions, type RunFinish, UploadFinisher } from "./upload-finisher.ts";

/** What requests about resumable uploads work with. */
export interface UploadParts {
  readonly receivers: Receivers;
  readonly finisher: UploadFinisher;
}

export function openUploads(options: FinisherOptions, run: RunFinish): UploadParts {
  return { receivers: new Receivers(), finisher: new UploadFinisher(options, run) };
}
