import { ByteProgress } from "./progress.ts";

export interface StatusOfFile {
  readonly onProgress: (sent: number, total: number) => void;
  readonly onFinishing: (finished: number, total: number) => void;
  readonly onWaiting: (reason: string | null) => void;
}

/** How far one file is on its way to the service, told in words: sent, waited for, put together there. */
export function statusOfFile(name: string, onStatus: (text: string) => void): StatusOfFile {
  const told = `upload:  ${name}`;
  const sentSoFar = new ByteProgress(told, "have come; the service puts the file together");
  const finishedSoFar = new ByteProgress(`${told}: the service puts the file together`);
  return {
    onProgress: (sent, total) => onStatus(sentSoFar.line(sent, total)),
    onFinishing: (finished, total) => onStatus(finishedSoFar.line(finished, total)),
    onWaiting: (reason) => {
      if (reason !== null) onStatus(`${told}: waiting. ${reason}`);
    },
  };
}
