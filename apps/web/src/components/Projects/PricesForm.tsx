import { Button, Group, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useMutation } from "urql";
import { type projectUseQuery, removePricesMutation, setPricesMutation } from "../../services/documents/projects.ts";
import type { ResultOf } from "../../services/graphql.ts";
import { problemFromGraphql } from "../../services/problem.ts";
import { limitOf } from "../../services/use-span.ts";
import { Panel } from "../Panel/Panel.tsx";
import { ProblemAlert } from "../ProblemAlert/ProblemAlert.tsx";

interface PricesFormProps {
  readonly prices: ResultOf<typeof projectUseQuery>["projectUse"]["prices"];
  readonly onSaved: () => void;
}

/** What an hour costs, the same for all projects. */
export function PricesForm({ prices, onSaved }: PricesFormProps) {
  const [currency, setCurrency] = useState(prices?.currency ?? "");
  const [rank, setRank] = useState(prices?.perRankHour.toString() ?? "");
  const [device, setDevice] = useState(prices?.perDeviceHour.toString() ?? "");
  const [{ fetching, error }, save] = useMutation(setPricesMutation);
  const [removal, remove] = useMutation(removePricesMutation);
  const [perRankHour, perDeviceHour] = [limitOf(rank), limitOf(device)];
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (typeof perRankHour !== "number" || typeof perDeviceHour !== "number") return;
    const { data } = await save({ prices: { currency: currency.trim(), perRankHour, perDeviceHour } });
    if (data) onSaved();
  };
  const hide = async () => {
    const { data } = await remove({});
    if (data) onSaved();
  };
  const isReady = currency.trim() !== "" && typeof perRankHour === "number" && typeof perDeviceHour === "number";
  const found = error ?? removal.error;
  return (
    <Panel title="Prices" help="Costs of any span are counted with the prices of now. Nothing is converted.">
      <form onSubmit={(event) => void submit(event)}>
        <Group align="flex-end">
          <TextInput
            label="Currency"
            placeholder="EUR"
            w={110}
            value={currency}
            onChange={(event) => setCurrency(event.currentTarget.value)}
          />
          <TextInput
            label="A rank hour costs"
            inputMode="decimal"
            w={150}
            value={rank}
            onChange={(event) => setRank(event.currentTarget.value)}
          />
          <TextInput
            label="A device hour costs"
            inputMode="decimal"
            w={160}
            value={device}
            onChange={(event) => setDevice(event.currentTarget.value)}
          />
          <Button type="submit" loading={fetching} disabled={!isReady}>
            Set the prices
          </Button>
          {prices && (
            <Button variant="default" loading={removal.fetching} onClick={() => void hide()}>
              Show no costs
            </Button>
          )}
        </Group>
      </form>
      {found && <ProblemAlert problem={problemFromGraphql(found)} />}
    </Panel>
  );
}
