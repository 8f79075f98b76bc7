import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useState } from "react";
import { makeAndSave } from "../../services/download.ts";
import { formatBytes } from "../../services/format.ts";
import { problemOfUnknown } from "../../services/problem.ts";

interface DownloadButtonProps {
  readonly label: string;
  readonly url: string;
  readonly ready: boolean;
  readonly bytes: number | null;
  /** Whether who looks may have a file made that is not there yet: editors may. */
  readonly canMake?: boolean;
}

/** Downloads a file; one that is not made yet is asked for, waited for, and then downloaded. */
export function DownloadButton({ label, url, ready, bytes, canMake = false }: DownloadButtonProps) {
  const [isMaking, setIsMaking] = useState(false);
  if (ready) {
    return (
      <Button component="a" href={url} download variant="default" size="sm">
        {label}
        {bytes === null ? "" : ` · ${formatBytes(bytes)}`}
      </Button>
    );
  }
  const make = async () => {
    setIsMaking(true);
    try {
      await makeAndSave(url);
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
      disabled={!canMake}
      onClick={() => void make()}
      title={canMake ? "Not made yet: it is made now, then downloaded" : "Not made yet: an editor can have it made"}
    >
      {isMaking ? `${label} is being made` : `Make ${label}`}
    </Button>
  );
}
