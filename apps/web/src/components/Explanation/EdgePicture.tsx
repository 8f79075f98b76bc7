import { type ExplainedEdge, rings } from "./rings.ts";

const [width, height, margin] = [520, 320, 40];

interface EdgePictureProps {
  readonly node: string;
  readonly edges: readonly ExplainedEdge[];
}

/** The edges that decide, in rings around the node: the more important, the thicker. */
export function EdgePicture({ node, edges }: EdgePictureProps) {
  const places = rings(node, edges);
  const at = (id: string) => {
    const { x = 0, y = 0 } = places.get(id) ?? {};
    return { x: width / 2 + x * (width / 2 - margin), y: height / 2 + y * (height / 2 - margin) };
  };
  const label = `The ${edges.length} most important edges around ${node}, as in the list below`;
  return (
    <svg role="img" aria-label={label} viewBox={`0 0 ${width} ${height}`} width="100%" style={{ maxWidth: width }}>
      {edges.map(({ from, to, weight, relation }) => {
        const [start, end] = [at(from), at(to)];
        return (
          <line
            key={`${from} ${relation} ${to}`}
            x1={start.x}
            y1={start.y}
            x2={end.x}
            y2={end.y}
            stroke="var(--mantine-primary-color-filled)"
            strokeWidth={1 + 5 * weight}
            strokeOpacity={0.25 + 0.75 * weight}
          />
        );
      })}
      {[...places.values()].map(({ id }) => {
        const { x, y } = at(id);
        return (
          <g key={id}>
            <circle
              cx={x}
              cy={y}
              r={id === node ? 8 : 5}
              fill={id === node ? "var(--mantine-primary-color-filled)" : "var(--mantine-color-body)"}
              stroke="var(--mantine-color-text)"
            />
            <text
              x={x}
              y={y - 11}
              textAnchor="middle"
              fontSize={11}
              fill="var(--mantine-color-text)"
              // A rim in the colour of the ground: names are read across lines.
              stroke="var(--mantine-color-body)"
              strokeWidth={3}
              paintOrder="stroke"
            >
              {id.length > 16 ? `${id.slice(0, 15)}…` : id}
            </text>
          </g>
        );
      })}
    </svg>
  );
}
