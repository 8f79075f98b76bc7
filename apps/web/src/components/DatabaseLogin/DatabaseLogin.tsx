import { Select, TextInput } from "@mantine/core";
import { useQuery } from "urql";
import { sourceCredentialsQuery } from "../../services/documents/imports.ts";

/** Names of the credentials of the project that are of a kind, each once. */
export function useCredentialNames(kind: "DATABASE" | "DATABASE_WRITE"): readonly string[] {
  const [{ data }] = useQuery({ query: sourceCredentialsQuery });
  return [...new Set((data?.sourceCredentials ?? []).flatMap((one) => (one.kind === kind ? [one.name] : [])))];
}

interface DatabaseLoginProps {
  readonly url: string;
  readonly onUrl: (url: string) => void;
  /** Names that there are to choose from */
  readonly names: readonly string[];
  readonly credential: string | null;
  readonly onCredential: (name: string | null) => void;
}

/** Where a database is, and the credential that is signed in with. */
export function DatabaseLogin({ url, onUrl, names, credential, onCredential }: DatabaseLoginProps) {
  return (
    <>
      <TextInput
        label="Database"
        placeholder="postgresql://db.example.com/shop"
        spellCheck={false}
        value={url}
        onChange={(event) => onUrl(event.currentTarget.value)}
        style={{ flex: "2 1 260px" }}
      />
      <Select
        label="Credential"
        placeholder={names.length === 0 ? "none is stored" : "choose"}
        data={[...names]}
        value={credential}
        onChange={onCredential}
        style={{ flex: "1 1 160px" }}
      />
    </>
  );
}
