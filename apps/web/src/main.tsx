import "@mantine/core/styles.css";
import "@mantine/dropzone/styles.css";
import "@mantine/notifications/styles.css";
import "./styles.css";
import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Provider } from "urql";
import { router } from "./router.tsx";
import { askEarly } from "./services/early-job.ts";
import { createGraphqlClient } from "./services/graphql-client.ts";
import { returnPath } from "./services/return-path.ts";
import { cssVariablesResolver, theme } from "./theme.ts";

const client = createGraphqlClient(() => {
  const { pathname, search, hash, origin } = location;
  if (pathname === "/sign-in") return;
  const next = returnPath(`${pathname}${search}${hash}`, origin);
  void router.navigate({ to: "/sign-in", search: { ...(next !== undefined && { next }) } });
});

askEarly(client, location.pathname);

const host = document.getElementById("root");
if (!host) throw new Error("index.html has no element #root.");
createRoot(host).render(
  <StrictMode>
    <MantineProvider theme={theme} cssVariablesResolver={cssVariablesResolver} defaultColorScheme="auto">
      <Notifications />
      <Provider value={client}>
        <RouterProvider router={router} />
      </Provider>
    </MantineProvider>
  </StrictMode>,
);
