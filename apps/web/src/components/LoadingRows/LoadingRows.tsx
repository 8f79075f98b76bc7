import { Skeleton, Stack, VisuallyHidden } from "@mantine/core";

/** Grey rows where a list is about to be. */
export function LoadingRows({ rows = 4, height = 44 }: { readonly rows?: number; readonly height?: number }) {
  return (
    <Stack gap="xs" role="status">
      <VisuallyHidden>Loading</VisuallyHidden>
      {Array.from({ length: rows }, (_, row) => (
        <Skeleton key={row} height={height} radius="md" />
      ))}
    </Stack>
  );
}
