import { Button, Center, Code, Paper, PasswordInput, Stack, Text, Title } from "@mantine/core";
import { useRouter, useSearch } from "@tanstack/react-router";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { ProblemAlert } from "../components/ProblemAlert/ProblemAlert.tsx";
import { problemOfUnknown, type ShownProblem } from "../services/problem.ts";
import { openSession } from "../services/session.ts";

/** Opens a session from the one-time link of the first start, followed or pasted. */
export function SignInPage() {
  const { problem, isBusy, signIn } = useSignIn();
  const [text, setText] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void signIn(text);
  };
  return (
    <Center mih="100vh" p="md" component="main">
      <Paper withBorder p="xl" w={440} maw="100%" bg="var(--hop-surface)">
        <form onSubmit={submit}>
          <Stack>
            <Welcome />
            {problem && <ProblemAlert problem={problem} />}
            <PasswordInput
              label="Sign-in link"
              placeholder="http://…/sign-in?token=…"
              autoComplete="off"
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
              disabled={isBusy}
              data-autofocus
            />
            <Button type="submit" loading={isBusy} disabled={text.trim() === ""}>
              Sign in
            </Button>
            <Text size="xs" c="dimmed" component="div">
              Each link works once, and only for a while. Has it been used? Get a new one on the machine that runs
              Hopwise: <Code>npm start</Code> prints one each time, and <Code>node apps/api/dist/sign-in-link.js</Code>{" "}
              prints one while it runs.
            </Text>
          </Stack>
        </form>
      </Paper>
    </Center>
  );
}

function Welcome() {
  return (
    <>
      <img src="/favicon.svg" width={44} height={44} alt="" />
      <div>
        <Title order={1}>Sign in to Hopwise</Title>
        <Text c="dimmed" size="sm" mt={4}>
          Paste the sign-in link that the service printed when it started.
        </Text>
      </div>
    </>
  );
}

/** Signs in with what is pasted, or at once with the token in the address; then goes to the page that was asked for. */
function useSignIn() {
  const { token, next = "/datasets" } = useSearch({ from: "/sign-in" });
  const router = useRouter();
  const [problem, setProblem] = useState<ShownProblem | null>(null);
  const [isBusy, setIsBusy] = useState(token !== undefined);
  const tried = useRef(false);

  const signIn = async (credential: string) => {
    setIsBusy(true);
    setProblem(null);
    try {
      await openSession(credential);
      router.history.replace(next);
    } catch (error) {
      setProblem(problemOfUnknown(error));
      setIsBusy(false);
    }
  };

  useEffect(() => {
    document.title = "Sign in · Hopwise";
    // The link works once: a second call of this effect must not use it up.
    if (token === undefined || tried.current) return;
    tried.current = true;
    void signIn(token);
  });
  return { problem, isBusy, signIn };
}
