import { Alert, Anchor } from "@mantine/core";
import { Link, useRouterState } from "@tanstack/react-router";
import { useEffect, useSyncExternalStore } from "react";
import { pendingUpload, subscribeToUploads, type UploadState } from "../../services/dataset-upload.ts";
import { formatPercent } from "../../services/format.ts";

/**
 * While files are on their way: says so on every other page, and has the browser ask before the page is left, as that
 * would cut them off.
 */
export function UploadWatch() {
  const upload = useSyncExternalStore(subscribeToUploads, pendingUpload);
  const path = useRouterState({ select: (state) => state.location.pathname });
  const isBusy = upload?.isBusy ?? false;
  useEffect(() => {
    if (!isBusy) return undefined;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, [isBusy]);

  if (upload === null) return null;
  const place = upload.name === "" ? `/datasets/${upload.datasetId}` : "/datasets/new";
  if (path === place) return null;
  return (
    <Alert color={isBusy ? "hop" : "red"} variant="light" mb="md" role="status" aria-label="Upload">
      {isBusy ? sentence(upload) : "Files were not uploaded whole."}{" "}
      <Anchor component={Link} to={place} size="sm">
        Show the upload
      </Anchor>
    </Alert>
  );
}

function sentence({ name, items }: UploadState): string {
  const sent = items.filter(({ objection }) => objection === null);
  const total = sent.reduce((sum, { file }) => sum + file.size, 0);
  const done = sent.reduce((sum, { sentBytes }) => sum + sentBytes, 0);
  const what = `Files are being uploaded${name === "" ? "" : ` to “${name}”`}: ${formatPercent(done / Math.max(1, total), 0)}.`;
  return `${what} It goes on while you move about here, and stops when this page of the browser is closed or loaded again.`;
}
