import { uploadModel } from "@hopwise/client";
import { useRef, useState } from "react";
import { api } from "../services/api.ts";
import { formatBytes, formatPercent } from "../services/format.ts";
import { problemOfUnknown } from "../services/problem.ts";

interface Chosen {
  readonly name: string;
  readonly note: string;
  readonly files: readonly File[];
}

type Problem = ReturnType<typeof problemOfUnknown>;

/** Sends the files of a model; what was broken off or refused goes on in the same place. */
export function useModelUpload() {
  const [status, setStatus] = useState<string | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isSending, setSending] = useState(false);
  const place = useRef<string | undefined>(undefined);
  const running = useRef<AbortController | null>(null);

  /** @returns the id of the job that looks at the files; null: it did not come so far */
  const send = async (chosen: Chosen): Promise<string | null> => {
    const controller = new AbortController();
    running.current = controller;
    setSending(true);
    setProblem(null);
    try {
      const job = await uploadModel(api, {
        ...chosen,
        upload: place.current,
        signal: controller.signal,
        onPlace: (id) => {
          place.current = id;
        },
        onProgress: (file, sent, total) => setStatus(`${file}: ${formatBytes(sent)} of ${formatBytes(total)}`),
        onFinishing: (file, finished, total) =>
          setStatus(`${file}: the service is putting it together: ${formatPercent(finished / Math.max(1, total), 0)}`),
        onWaiting: (reason) => reason !== null && setStatus(`Waiting. ${reason}`),
      });
      return job.id;
    } catch (error) {
      if (!controller.signal.aborted) setProblem(problemOfUnknown(error));
      return null;
    } finally {
      setStatus(null);
      setSending(false);
    }
  };
  const stop = () => running.current?.abort(new DOMException("It was stopped.", "AbortError"));
  return { send, stop, isSending, status, problem };
}
