import { Button, Center } from "@mantine/core";

interface LoadMoreProps {
  readonly hasMore: boolean;
  readonly isLoading: boolean;
  readonly onMore: () => void;
}

/** Under a list that has not been shown to its end. */
export function LoadMore({ hasMore, isLoading, onMore }: LoadMoreProps) {
  if (!hasMore) return null;
  return (
    <Center p="md">
      <Button variant="default" size="sm" loading={isLoading} onClick={onMore}>
        Load more
      </Button>
    </Center>
  );
}
