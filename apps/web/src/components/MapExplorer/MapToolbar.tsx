import { Button, Group, SegmentedControl, Select, TextInput } from "@mantine/core";
import { useState } from "react";

export type LayoutName = "pca" | "umap";

interface MapToolbarProps {
  readonly layout: LayoutName;
  /** Null: the map has one layout. */
  readonly onLayout: ((layout: LayoutName) => void) | null;
  readonly colorings: readonly { readonly value: string; readonly label: string }[];
  readonly coloredBy: string;
  readonly onColorBy: (name: string) => void;
  /** @returns what is wrong; null when the node was found */
  readonly onFind: (id: string) => string | null;
  readonly isSelecting: boolean;
  readonly onSelecting: (isSelecting: boolean) => void;
}

/** How the map is laid out and coloured, and ways to come to a node. */
export function MapToolbar(props: MapToolbarProps) {
  const { layout, onLayout, colorings, coloredBy, onColorBy, isSelecting, onSelecting } = props;
  return (
    <Group gap="sm" mb="sm" align="flex-end">
      {onLayout && (
        <SegmentedControl
          aria-label="Layout"
          data={[
            { value: "umap", label: "UMAP" },
            { value: "pca", label: "Principal components" },
          ]}
          value={layout}
          onChange={(value) => onLayout(value === "umap" ? "umap" : "pca")}
        />
      )}
      {colorings.length > 1 && (
        <Select
          label="Colour by"
          data={colorings}
          value={coloredBy}
          allowDeselect={false}
          onChange={(value) => value !== null && onColorBy(value)}
        />
      )}
      <FindField onFind={props.onFind} />
      <Button
        variant={isSelecting ? "filled" : "default"}
        aria-pressed={isSelecting}
        onClick={() => onSelecting(!isSelecting)}
      >
        Select an area
      </Button>
    </Group>
  );
}

function FindField({ onFind }: Pick<MapToolbarProps, "onFind">) {
  const [text, setText] = useState("");
  const [error, setError] = useState<string | null>(null);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        setError(text === "" ? null : onFind(text));
      }}
    >
      <TextInput
        label="Find a node"
        placeholder="Its id, then Enter"
        type="search"
        value={text}
        error={error}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setError(null);
        }}
      />
    </form>
  );
}
