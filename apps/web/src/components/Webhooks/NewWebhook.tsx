import { Checkbox, Group, TextInput } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { useMutation } from "urql";
import { createWebhookMutation } from "../../services/documents/notices.ts";
import type { VariablesOf } from "../../services/graphql.ts";
import { SecretForm } from "../SecretForm/SecretForm.tsx";
import type { Issued } from "./WebhooksPanel.tsx";

type Event = VariablesOf<typeof createWebhookMutation>["draft"]["events"][number];

const events: readonly { readonly value: Event; readonly label: string }[] = [
  { value: "DONE", label: "Done" },
  { value: "FAILED", label: "Failed" },
  { value: "STALLED", label: "Stalled" },
  { value: "BEST", label: "Better than the best" },
];

/** What differs between the two ways in which others are told. */
const kinds = {
  webhook: {
    create: "Add webhook",
    address: "Address",
    placeholder: "https://example.com/hooks/hopwise",
    name: "team chat",
    inputMode: "url",
    scheme: "",
  },
  mail: {
    create: "Add e-mail",
    address: "E-mail address",
    placeholder: "team@example.com",
    name: "the team",
    inputMode: "email",
    scheme: "mailto:",
  },
} as const;
export type SubscriptionKind = keyof typeof kinds;

interface NewWebhookProps {
  readonly kind: SubscriptionKind;
  readonly onCreated: (created: Issued) => void;
  readonly issued: { readonly what: string; readonly shown: ReactNode } | null;
}

export function NewWebhook({ kind, onCreated, issued }: NewWebhookProps) {
  const words = kinds[kind];
  const [name, setName] = useState("");
  const [url, setUrl] = useState("");
  const [chosen, setChosen] = useState<readonly string[]>(events.map(({ value }) => value));
  const [{ fetching, error }, create] = useMutation(createWebhookMutation);
  const submit = async () => {
    const asked = events.map(({ value }) => value).filter((value) => chosen.includes(value));
    const { data } = await create({ draft: { name: name.trim(), url: `${words.scheme}${url.trim()}`, events: asked } });
    if (!data) return;
    setName("");
    setUrl("");
    onCreated(data.createWebhook);
  };
  return (
    <SecretForm
      create={words.create}
      isReady={name.trim() !== "" && url.trim() !== "" && chosen.length > 0}
      isBusy={fetching}
      error={error}
      onCreate={submit}
      issued={issued}
    >
      <TextInput
        label="Name"
        placeholder={words.name}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        w={180}
      />
      <TextInput
        label={words.address}
        placeholder={words.placeholder}
        inputMode={words.inputMode}
        value={url}
        onChange={(event) => setUrl(event.currentTarget.value)}
        style={{ flex: "1 1 260px" }}
      />
      <Checkbox.Group label="Events" value={[...chosen]} onChange={setChosen}>
        <Group gap="sm" mih={36}>
          {events.map(({ value, label }) => (
            <Checkbox key={value} value={value} label={label} size="xs" />
          ))}
        </Group>
      </Checkbox.Group>
    </SecretForm>
  );
}
