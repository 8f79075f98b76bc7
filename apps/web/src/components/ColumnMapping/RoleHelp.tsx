import { Text } from "@mantine/core";
import { roleHelp, roleNames } from "../../services/column-roles.ts";

/** What each role of a column means, for those who ask. */
export function RoleHelp() {
  return (
    <details>
      <summary style={{ cursor: "pointer" }}>
        <Text span size="sm">
          What do the roles mean?
        </Text>
      </summary>
      <Text
        size="sm"
        component="dl"
        my="xs"
        style={{ display: "grid", gridTemplateColumns: "max-content 1fr", gap: "4px 16px" }}
      >
        {Object.entries(roleHelp).map(([role, help]) => (
          <div key={role} style={{ display: "contents" }}>
            <dt style={{ fontWeight: 600 }}>{roleNames[role as keyof typeof roleHelp]}</dt>
            <dd style={{ margin: 0 }}>{help}</dd>
          </div>
        ))}
      </Text>
    </details>
  );
}
