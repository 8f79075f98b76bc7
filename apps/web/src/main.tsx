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
import { createGraphqlClient } from "./services/graphql-client.ts";
import { theme } from "./theme.ts";

const client = createGraphqlClient(() => {
  if (location.pathname !== "/sign-in") void router.navigate({ to: "/sign-in" });
});

const host = document.getElementById("root");
if (!host) throw new Error("index.html has no element #root.");
createRoot(host).render(
  <StrictMode>
    <MantineProvider theme={theme} defaultColorScheme="auto">
      <Notifications />
      <Provider value={client}>
        <RouterProvider router={router} />
      </Provider>
    </MantineProvider>
  </StrictMode>,
);
