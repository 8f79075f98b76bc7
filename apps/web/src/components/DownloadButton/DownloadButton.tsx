import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useState } from "react";
import { saveWhenMade } from "../../services/download.ts";
import { formatBytes } from "../../services/format.ts";
import { problemOfUnknown } from "../../services/problem.ts";

interface DownloadButtonProps {
  readonly label: string;
  readonly url: string;
  readonly ready: boolean;
  readonly bytes: number | null;
}

/** Downloads a file; one that is not made yet is asked for, waited for, and then downloaded. */
export function DownloadButton({ label, url, ready, bytes }: DownloadButtonProps) {
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
      await saveWhenMade(url);
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
      onClick={() => void make()}
      title="Not made yet: it is made now, then downloaded"
    >
      {isMaking ? `${label} is being made` : `Make ${label}`}
    </Button>
  );
}
