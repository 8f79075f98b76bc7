import { Alert, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { formatCount, formatPercent } from "../../services/format.ts";
import type { GraphProfile } from "./graph-profile.ts";

/** What of the features tells a model more than it may know: the class, or which nodes were to be held out. */
export function Leaks({
  profile: { tellClass, tellSplit = [], repeatedFeatures },
}: {
  readonly profile: GraphProfile;
}) {
  return (
    <Stack gap="sm">
      {tellClass.length > 0 && (
        <Leak title="Features that give the class away">
          Each value of {tellClass.join(", ")} goes with one class only. A model would learn to repeat it, and its
          figures would say little of new nodes. Map the files again without {themOf(tellClass)}, unless that is known
          at the time of prediction.
        </Leak>
      )}
      {tellSplit.length > 0 && (
        <Leak title="Features that tell on which side of the split a node is">
          Each value of {tellSplit.join(", ")} goes with one side only, as years do where nodes are split by time. A
          model never meets the values of the nodes that judge it. Map the files again without {themOf(tellSplit)}, or
          expect a lower accuracy than on nodes like those that are learned from.
        </Leak>
      )}
      {repeatedFeatures && repeatedFeatures.repeated > 0 && (
        <Leak title="Held-out nodes with the features of training nodes">
          {formatCount(repeatedFeatures.repeated)} of {formatCount(repeatedFeatures.heldOut)} nodes of val and test (
          {formatPercent(repeatedFeatures.repeated / repeatedFeatures.heldOut)}) have exactly the features of a node
          that is learned from. Where these are the same thing twice, the figures flatter the model: keep one of each,
          or put both on one side.
        </Leak>
      )}
    </Stack>
  );
}

function Leak({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Alert color="yellow" variant="light" title={title}>
      <Text size="sm">{children}</Text>
    </Alert>
  );
}

function themOf(columns: readonly string[]): string {
  return columns.length === 1 ? "it" : "them";
}
