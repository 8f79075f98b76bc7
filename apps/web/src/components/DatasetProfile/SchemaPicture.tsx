import { useId } from "react";
import { formatCount } from "../../services/format.ts";
import {
  boxSize,
  layOutSchema,
  type RelationLine,
  type SchemaRelation,
  type SchemaType,
  type TypeBox,
} from "../../services/schema-layout.ts";
import classes from "./SchemaPicture.module.css";

interface SchemaPictureProps {
  readonly types: readonly SchemaType[];
  readonly relations: readonly SchemaRelation[];
}

/** Types as boxes and a line for each pair that relations join, with arrows where messages go. */
export function SchemaPicture({ types, relations }: SchemaPictureProps) {
  const { width, height, boxes, lines } = layOutSchema(types, relations);
  const arrow = useId();
  const told = types.map(({ name, count }) => `${name}: ${formatCount(count)} nodes`).join("; ");
  return (
    <svg className={classes.picture} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={`Schema. ${told}.`}>
      <defs>
        <marker
          id={arrow}
          viewBox="0 0 8 8"
          refX="7"
          refY="4"
          markerWidth="8"
          markerHeight="8"
          orient="auto-start-reverse"
        >
          <path d="M 0 0 L 8 4 L 0 8 z" className={classes.arrow} />
        </marker>
      </defs>
      {lines.map((line) => (
        <Line key={`${line.from.name}/${line.to.name}`} line={line} arrow={`url(#${arrow})`} />
      ))}
      {boxes.map((box) => (
        <Box key={box.name} box={box} />
      ))}
      {lines.map((line) => (
        <Names key={`${line.from.name}/${line.to.name}`} line={line} />
      ))}
    </svg>
  );
}

function Line({ line, arrow }: { readonly line: RelationLine; readonly arrow: string }) {
  const { from, to, start, end, leadsOn, leadsBack } = line;
  const path =
    from === to
      ? `M ${start.x} ${start.y} C ${start.x - 26} ${start.y - 44}, ${end.x + 26} ${end.y - 44}, ${end.x} ${end.y}`
      : `M ${start.x} ${start.y} L ${end.x} ${end.y}`;
  const ends = { ...(leadsOn && { markerEnd: arrow }), ...(leadsBack && { markerStart: arrow }) };
  return <path d={path} className={classes.line} {...ends} />;
}

function Box({ box: { name, count, numFeatures, x, y } }: { readonly box: TypeBox }) {
  const features =
    numFeatures === 0 ? "no features" : `${formatCount(numFeatures)} ${numFeatures === 1 ? "feature" : "features"}`;
  return (
    <g>
      <title>{`${name}: ${formatCount(count)} nodes, ${features}`}</title>
      <rect
        className={classes.box}
        x={x - boxSize.width / 2}
        y={y - boxSize.height / 2}
        width={boxSize.width}
        height={boxSize.height}
        rx="8"
      />
      <text className={classes.name} x={x} y={y - 8}>
        {cut(name, 18)}
      </text>
      <text className={classes.figure} x={x} y={y + 14}>
        {`${formatCount(count)} · ${features}`}
      </text>
    </g>
  );
}

const mostNames = 3;
const lineHeight = 15;

/** What the relations of a line are called, the first few of them; the list below the picture has all. */
function Names({ line: { relations, label } }: { readonly line: RelationLine }) {
  const rest = relations.length - mostNames;
  const shown = relations.slice(0, rest === 1 ? mostNames + 1 : mostNames).map(({ name }) => cut(name, 24));
  const lines = rest > 1 ? [...shown, `and ${rest} more`] : shown;
  return (
    <text className={classes.relation}>
      <title>{relations.map(({ source, name, target }) => `${source} ${name} ${target}`).join("\n")}</title>
      {lines.map((text, i) => (
        <tspan key={text} x={label.x} y={label.y + lineHeight * (i - (lines.length - 1) / 2)}>
          {text}
        </tspan>
      ))}
    </text>
  );
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}
