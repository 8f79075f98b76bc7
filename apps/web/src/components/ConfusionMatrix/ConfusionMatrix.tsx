import { ScrollArea, Table, Text } from "@mantine/core";
import type { Confusion } from "../../services/confusion.ts";
import { formatCount } from "../../services/format.ts";

/** Test nodes by label (row) and prediction (column); what is right stands on the diagonal, in bold. */
export function ConfusionMatrix({ confusion: { classes, counts } }: { readonly confusion: Confusion }) {
  return (
    <>
      <Text size="sm" c="dimmed" mt="md">
        Test nodes: label by row, prediction by column
      </Text>
      <ScrollArea>
        <Table aria-label="Confusion matrix" withRowBorders={false}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Label</Table.Th>
              {classes.map((name) => (
                <Table.Th key={name} ta="right">
                  {name}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody className="num">
            {classes.map((label, row) => (
              <Table.Tr key={label}>
                <Table.Th scope="row">{label}</Table.Th>
                {classes.map((predicted, column) => (
                  <Table.Td key={predicted} ta="right" fw={row === column ? 700 : 400}>
                    {formatCount(counts[row]?.[column])}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollArea>
    </>
  );
}
