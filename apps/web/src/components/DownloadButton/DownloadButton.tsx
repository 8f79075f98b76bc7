import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useState } from "react";
import { saveUrl } from "../../services/download.ts";
import { formatBytes } from "../../services/format.ts";
import { problemOfUnknown } from "../../services/problem.ts";

interface DownloadButtonProps {
  readonly label: string;
  readonly url: string;
  readonly ready: boolean;
  readonly bytes: number | null;
  /** Has a file made that is not there yet; left out when who looks may not: editors may. */
  readonly make?: (() => Promise<string>) | undefined;
  /** The job makes it of its own accord before it ends. */
  readonly isOwed?: boolean;
  /** The checksum of its bytes, in hex; null: not known yet */
  readonly sha256?: string | null;
}

/** Downloads a file; one that is not made yet is asked for, waited for, and then downloaded. */
export function DownloadButton({ label, url, ready, bytes, make, isOwed = false, sha256 = null }: DownloadButtonProps) {
  const [isMaking, setIsMaking] = useState(false);
  if (ready) {
    return (
      <Button
        component="a"
        href={url}
        download
        variant="default"
        size="sm"
        title={sha256 === null ? undefined : `SHA-256 ${sha256}`}
      >
        {label}
        {bytes === null ? "" : ` · ${formatBytes(bytes)}`}
      </Button>
    );
  }
  if (isOwed) {
    return (
      <Button variant="default" size="sm" disabled title="The job makes it before it ends">
        {label} comes with the job’s end
      </Button>
    );
  }
  const makeAndSave = async () => {
    setIsMaking(true);
    try {
      saveUrl((await make?.()) ?? url);
    } catch (error) {
      const problem = problemOfUnknown(error);
      notifications.show({ color: "red", title: problem.title, message: problem.detail });
    } finally {
      setIsMaking(false);
    }
  };
  return (
    <Button
      variant="default"
      size="sm"
      loading={isMaking}
      disabled={!make}
      onClick={() => void makeAndSave()}
      title={make ? "Not made yet: it is made now, then downloaded" : "Not made yet: an editor can have it made"}
    >
      {isMaking ? `${label} is being made` : `Make ${label}`}
    </Button>
  );
}
