import { PasswordInput, Select, TextInput } from "@mantine/core";
import { useState } from "react";
import { useMutation } from "urql";
import { createSourceCredentialMutation } from "../../services/documents/imports.ts";
import type { VariablesOf } from "../../services/graphql.ts";
import { SecretForm } from "../SecretForm/SecretForm.tsx";

type Kind = VariablesOf<typeof createSourceCredentialMutation>["input"]["kind"];

const kinds: readonly { readonly value: Kind; readonly label: string; readonly secret: string }[] = [
  { value: "BEARER", label: "Bearer token", secret: "token" },
  { value: "BASIC", label: "User and password", secret: "user:password" },
  { value: "HEADER", label: "Header of its own", secret: "X-Api-Key: value" },
  { value: "DATABASE", label: "User of a database", secret: "user:password" },
  { value: "DATABASE_WRITE", label: "User that writes into a database", secret: "user:password" },
  { value: "S3", label: "Signature of S3", secret: "access key id:secret access key" },
];

/** Name, hosts and secret of a new credential; the page forgets the secret once it is stored. */
export function NewSourceCredential({ onCreated }: { readonly onCreated: () => void }) {
  const [name, setName] = useState("");
  const [kind, setKind] = useState<Kind>("BEARER");
  const [hostsText, setHostsText] = useState("");
  const [secret, setSecret] = useState("");
  const [{ fetching, error }, create] = useMutation(createSourceCredentialMutation);
  const hosts = hostsText.split(/[\s,]+/).filter((host) => host !== "");
  const submit = async () => {
    const { data } = await create({ input: { name: name.trim(), kind, hosts, secret: secret.trim() } });
    if (!data) return;
    for (const set of [setName, setHostsText, setSecret]) set("");
    onCreated();
  };
  return (
    <SecretForm
      create="Store credential"
      isReady={name.trim() !== "" && hosts.length > 0 && secret.trim() !== ""}
      isBusy={fetching}
      error={error}
      onCreate={submit}
      issued={null}
    >
      <TextInput
        label="Credential"
        placeholder="archive"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        w={160}
      />
      <Select
        label="Sent as"
        data={kinds.map(({ value, label }) => ({ value, label }))}
        value={kind}
        onChange={(value) => value && setKind(value)}
        allowDeselect={false}
        w={180}
      />
      <TextInput
        label="Hosts"
        placeholder="data.example.com, *.example.org"
        value={hostsText}
        onChange={(event) => setHostsText(event.currentTarget.value)}
        style={{ flex: "1 1 220px" }}
      />
      <PasswordInput
        label="Secret"
        placeholder={kinds.find(({ value }) => value === kind)?.secret ?? ""}
        autoComplete="off"
        value={secret}
        onChange={(event) => setSecret(event.currentTarget.value)}
        style={{ flex: "1 1 200px" }}
      />
    </SecretForm>
  );
}
