import { Modal, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useNavigate } from "@tanstack/react-router";
import { Fragment, type KeyboardEvent, useEffect, useState } from "react";
import { useCommands } from "../../hooks/use-commands.ts";
import type { Command } from "../../services/commands.ts";
import classes from "./CommandPalette.module.css";

/** Finds jobs, datasets, pages and actions by typing, and goes there. */
export function CommandPalette({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState("");
  const [asked] = useDebouncedValue(text, 150);
  const commands = useCommands(text, asked);
  const [place, setPlace] = useState(0);
  const navigate = useNavigate();
  const chosen = commands[Math.min(place, commands.length - 1)];
  const run = ({ to, href, run: act }: Command) => {
    onClose();
    if (to !== undefined) void navigate({ to });
    else if (href !== undefined) location.assign(href);
    else act?.();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    if (step !== undefined && commands.length > 0) {
      event.preventDefault();
      setPlace((Math.min(place, commands.length - 1) + step + commands.length) % commands.length);
    } else if (event.key === "Enter" && chosen) {
      event.preventDefault();
      run(chosen);
    }
  };
  return (
    <Modal opened onClose={onClose} withCloseButton={false} size="lg" aria-label="Commands" padding="xs">
      <TextInput
        data-autofocus
        role="combobox"
        aria-expanded
        aria-controls="commands"
        aria-activedescendant={chosen && `command-${chosen.id}`}
        aria-label="Search jobs, datasets, pages and actions"
        placeholder="Search jobs, datasets, pages and actions"
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setPlace(0);
        }}
        onKeyDown={onKeyDown}
      />
      <Options commands={commands} chosen={chosen} onRun={run} />
      {commands.length === 0 && (
        <Text size="sm" c="dimmed" p="sm" role="status">
          Nothing is called so. Jobs are found by a part of their name or id, datasets by their name.
        </Text>
      )}
    </Modal>
  );
}

interface OptionsProps {
  readonly commands: readonly Command[];
  readonly chosen: Command | undefined;
  readonly onRun: (command: Command) => void;
}

function Options({ commands, chosen, onRun }: OptionsProps) {
  useEffect(() => {
    if (chosen) document.getElementById(`command-${chosen.id}`)?.scrollIntoView({ block: "nearest" });
  }, [chosen]);
  return (
    <div id="commands" role="listbox" aria-label="Commands" className={classes["list"]}>
      {commands.map((command, i) => (
        <Fragment key={command.id}>
          {command.group !== commands[i - 1]?.group && (
            <div className={classes["group"]} role="presentation">
              {command.group}
            </div>
          )}
          {/* The field has the focus and takes the keys. */}
          {/* biome-ignore lint/a11y/useKeyWithClickEvents: keys go to the combobox that controls the list */}
          <div
            id={`command-${command.id}`}
            role="option"
            tabIndex={-1}
            aria-selected={command === chosen}
            className={classes["option"]}
            onClick={() => onRun(command)}
          >
            {command.label}
          </div>
        </Fragment>
      ))}
    </div>
  );
}
