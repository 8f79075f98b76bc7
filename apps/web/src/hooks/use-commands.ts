import { useMantineColorScheme } from "@mantine/core";
import { useQuery } from "urql";
import { type Command, jobCommands, matching, pageCommands } from "../services/commands.ts";
import { commandsQuery } from "../services/documents/account.ts";
import { useSignOut } from "./use-sign-out.ts";

const mostOfAKind = 6;

/**
 * What the palette offers for a text: jobs that the service finds by it, and of datasets, pages and actions those whose
 * names have its words.
 *
 * @param asked the text as it stood a moment ago: the service is not asked at every key
 */
export function useCommands(text: string, asked: string): Command[] {
  const search = asked.trim().slice(0, 200);
  const filter = { kinds: ["train"], ...(search !== "" && { search }) };
  const [{ data }] = useQuery({ query: commandsQuery, variables: { filter, first: mostOfAKind } });
  const { setColorScheme } = useMantineColorScheme();
  const signOut = useSignOut();
  const jobs = jobCommands(
    (data?.jobs.edges ?? []).map(({ node }) => node),
    text,
  );
  const datasets = (data?.datasets.edges ?? []).map(({ node: { id, name } }): Command => {
    return { id, group: "Datasets", label: name, to: `/datasets/${id}` };
  });
  const actions: readonly Command[] = [
    { id: "light", group: "Actions", label: "Use light colours", run: () => setColorScheme("light") },
    { id: "dark", group: "Actions", label: "Use dark colours", run: () => setColorScheme("dark") },
    { id: "sign-out", group: "Actions", label: "Sign out", run: signOut },
  ];
  const found = matching(datasets, text).slice(0, mostOfAKind);
  return [...jobs, ...found, ...matching([...pageCommands, ...actions], text)];
}
