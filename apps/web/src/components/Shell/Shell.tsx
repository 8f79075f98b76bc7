import { Anchor, AppShell, Burger, Button, Group, NavLink, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Link, Outlet, useRouterState } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { useQuery } from "urql";
import { useSignOut } from "../../hooks/use-sign-out.ts";
import { viewerQuery } from "../../services/documents/account.ts";
import { humanize } from "../../services/format.ts";
import { browserShelf } from "../../services/job-columns.ts";
import { shownTimeZone, switchTimeZone } from "../../services/time-zone.ts";
import { ColorSchemeToggle } from "../ColorSchemeToggle/ColorSchemeToggle.tsx";
import { NoticeBell } from "../NoticeBell/NoticeBell.tsx";
import { Shortcuts } from "../Shortcuts/Shortcuts.tsx";
import { UploadWatch } from "../UploadWatch/UploadWatch.tsx";

const sections = [
  { to: "/datasets", label: "Datasets" },
  { to: "/jobs", label: "Jobs" },
  { to: "/sweeps", label: "Sweeps" },
  { to: "/models", label: "Models" },
  { to: "/workers", label: "Workers" },
  { to: "/api-keys", label: "API keys" },
] as const;

const adminSections = [{ to: "/projects", label: "Projects" }] as const;

/** Frame of every page behind the sign-in. */
export function Shell() {
  const [opened, { toggle, close }] = useDisclosure();
  const path = useRouterState({ select: (state) => state.location.pathname });
  useFocusOnNavigation(path);
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 208, breakpoint: "sm", collapsed: { mobile: !opened } }}
      padding="lg"
    >
      <a href="#main" className="skip-link">
        Skip to the content
      </a>
      <AppShell.Header bg="var(--hop-surface)">
        <Group h="100%" px="md" justify="space-between">
          <Group gap="sm">
            <Burger opened={opened} onClick={toggle} hiddenFrom="sm" size="sm" aria-label="Menu" />
            <Link to="/datasets" aria-label="Hopwise, start page" style={{ textDecoration: "none", color: "inherit" }}>
              <Group gap={10}>
                <img src="/favicon.svg" width={28} height={28} alt="" />
                <Text fw={700} fz="lg">
                  Hopwise
                </Text>
              </Group>
            </Link>
          </Group>
          <Group gap="xs">
            <Shortcuts />
            <NoticeBell />
            <ColorSchemeToggle />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="sm" bg="var(--hop-surface)">
        <Sections path={path} onLeave={close} />
        <Further />
        <Account />
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1} className="page">
        <div style={{ maxWidth: 1240, margin: "0 auto" }}>
          <UploadWatch />
          <Outlet />
        </div>
      </AppShell.Main>
    </AppShell>
  );
}

interface SectionsProps {
  readonly path: string;
  readonly onLeave: () => void;
}

function Sections({ path, onLeave }: SectionsProps) {
  const [{ data }] = useQuery({ query: viewerQuery });
  const shown = data?.me.role === "ADMIN" ? [...sections, ...adminSections] : sections;
  return (
    <Stack gap={4} component="nav" aria-label="Sections" style={{ flex: 1 }}>
      {shown.map((section) => (
        <NavLink
          key={section.to}
          component={Link}
          to={section.to}
          label={section.label}
          active={path.startsWith(section.to)}
          onClick={onLeave}
          style={{ borderRadius: 8 }}
        />
      ))}
    </Stack>
  );
}

const further = [
  { href: "/help/getting-started.html", label: "Guides" },
  { href: "/docs", label: "REST API" },
  { href: "/graphql-page", label: "GraphQL" },
  { href: "/help/changelog.html", label: "Changelog" },
];

/** Pages of the service that are no part of the dashboard. */
function Further() {
  return (
    <Group gap={4} px="sm" pb="sm" component="nav" aria-label="Help and interfaces">
      {further.map(({ href, label }) => (
        <Anchor key={href} size="xs" href={href} w={76}>
          {label}
        </Anchor>
      ))}
    </Group>
  );
}

/**
 * A new page begins at its content: otherwise a keyboard's or screen reader's place would stay at the link that left.
 */
function useFocusOnNavigation(path: string): void {
  const last = useRef(path);
  useEffect(() => {
    if (last.current === path) return;
    last.current = path;
    document.getElementById("main")?.focus({ preventScroll: true });
  }, [path]);
}

function Account() {
  const [{ data }] = useQuery({ query: viewerQuery });
  const signOut = useSignOut();
  if (!data) return null;
  return (
    <Stack gap={6} pt="sm" style={{ borderTop: "1px solid var(--hop-border)" }}>
      <div>
        <Text size="sm" fw={600} className="clip">
          {data.me.user.name}
        </Text>
        <Text size="xs" c="dimmed">
          {humanize(data.me.role.toLowerCase())}
        </Text>
      </div>
      <Anchor component="button" type="button" size="xs" ta="left" onClick={switchTimeZone}>
        {shownTimeZone(browserShelf()) === "UTC" ? "Show times in my zone" : "Show times in UTC"}
      </Anchor>
      <Button variant="default" size="xs" onClick={signOut}>
        Sign out
      </Button>
    </Stack>
  );
}
