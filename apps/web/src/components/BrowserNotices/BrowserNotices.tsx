import { Switch, Text } from "@mantine/core";
import { useState } from "react";
import { askBrowser, mayAskBrowser, showsInBrowser } from "../../services/notice-watch.ts";
import { Panel } from "../Panel/Panel.tsx";

/** Lets the browser show notices while another tab or program is in front. */
export function BrowserNotices() {
  const [isOn, setIsOn] = useState(showsInBrowser);
  const [isRefused, setIsRefused] = useState(false);
  const ask = async (wanted: boolean) => {
    const shows = await askBrowser(wanted);
    setIsOn(shows);
    setIsRefused(wanted && !shows);
  };
  return (
    <Panel title="In this browser" help="As long as Hopwise is open in a tab; each browser has its own setting.">
      <Switch
        label="Show notices while the tab is in the background"
        checked={isOn}
        disabled={!mayAskBrowser()}
        onChange={(event) => void ask(event.currentTarget.checked)}
      />
      {!mayAskBrowser() && (
        <Text size="sm" c="dimmed">
          Browsers allow this on https and on localhost only.
        </Text>
      )}
      {isRefused && (
        <Text size="sm" c="red" role="alert">
          The browser refuses. Allow notifications of this site in its settings, then switch this on again.
        </Text>
      )}
    </Panel>
  );
}
