import { colorOfGroup, type PointRenderer, type RendererFactory, rgbOf } from "./point-renderer.ts";
import { scattered } from "./scatter-order.ts";
import type { MapPoints } from "./view.ts";

/*
 * Plain WebGL 2 in place of regl-scatterplot: regl builds its commands with `Function(…)`, which the API's content
 * security policy forbids, and this page needs points only.
 */

const paletteWidth = 256;

const vertexShader = `#version 300 es
in float x;
in float y;
in int group;
uniform vec2 center;
uniform vec2 scale;
uniform float diameter;
uniform highp sampler2D palette;
out vec4 shade;
void main() {
  gl_Position = vec4((vec2(x, y) - center) * scale, 0.0, 1.0);
  gl_PointSize = diameter;
  int slot = group + 1;
  shade = texelFetch(palette, ivec2(slot % ${paletteWidth}, slot / ${paletteWidth}), 0);
}`;

const fragmentShader = `#version 300 es
precision mediump float;
in vec4 shade;
out vec4 pixel;
void main() {
  float distance = length(gl_PointCoord - 0.5) * 2.0;
  float alpha = shade.a * (1.0 - smoothstep(0.75, 1.0, distance));
  if (alpha < 0.01) discard;
  pixel = vec4(shade.rgb * alpha, alpha);
}`;

/** Null when the browser has no WebGL 2. */
export const createWebglPoints: RendererFactory = (canvas, points, colors) => {
  const gl = canvas.getContext("webgl2", {
    antialias: false,
    premultipliedAlpha: true,
    // A picture may be drawn over several frames.
    preserveDrawingBuffer: true,
  });
  if (!gl) return null;
  const program = linkProgram(gl);
  if (!program) return null;
  gl.useProgram(program);
  const buffers = fillAttributes(gl, program, points);
  const palette = new Palette(gl, points, colors);
  gl.enable(gl.BLEND);
  gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  const uniform = (name: string) => gl.getUniformLocation(program, name);
  const [center, scale, diameter] = [uniform("center"), uniform("scale"), uniform("diameter")];
  return {
    kind: "webgl",
    draw({ view, size, radius, highlighted }, first, end) {
      const ratio = canvas.width / size.width;
      palette.show(highlighted);
      gl.viewport(0, 0, canvas.width, canvas.height);
      gl.clearColor(0, 0, 0, 0);
      if (first === 0) gl.clear(gl.COLOR_BUFFER_BIT);
      gl.uniform2f(center, view.centerX, view.centerY);
      gl.uniform2f(scale, (2 * view.scale) / size.width, (2 * view.scale) / size.height);
      gl.uniform1f(diameter, Math.max(1, 2 * radius * ratio));
      gl.drawArrays(gl.POINTS, first, end - first);
    },
    dispose() {
      for (const buffer of buffers) gl.deleteBuffer(buffer);
      palette.dispose();
      gl.deleteProgram(program);
    },
  } satisfies PointRenderer;
};

/** Colours of the groups in a texture, first that of points of no group: a highlight writes some hundred bytes anew. */
class Palette {
  readonly #gl: WebGL2RenderingContext;
  readonly #texture: WebGLTexture;
  readonly #colors: readonly string[];
  readonly #numSlots: number;
  #shown: ReadonlySet<number> | null | undefined;

  constructor(gl: WebGL2RenderingContext, { groups }: MapPoints, colors: readonly string[]) {
    this.#gl = gl;
    this.#colors = colors;
    this.#texture = gl.createTexture();
    let last = -1;
    for (let i = 0; i < groups.length; i++) last = Math.max(last, groups[i] ?? -1);
    this.#numSlots = last + 2;
    gl.bindTexture(gl.TEXTURE_2D, this.#texture);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
  }

  show(highlighted: ReadonlySet<number> | null): void {
    if (highlighted === this.#shown) return;
    this.#shown = highlighted;
    const height = Math.ceil(this.#numSlots / paletteWidth);
    const texels = new Uint8Array(4 * paletteWidth * height);
    for (let slot = 0; slot < this.#numSlots; slot++) {
      const group = slot - 1;
      const isFaint = highlighted !== null && !highlighted.has(group);
      const color = isFaint ? faint : [...rgbOf(colorOfGroup(this.#colors, group)), 0.78];
      texels.set(
        color.map((share) => Math.round(255 * share)),
        4 * slot,
      );
    }
    const gl = this.#gl;
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, paletteWidth, height, 0, gl.RGBA, gl.UNSIGNED_BYTE, texels);
  }

  dispose(): void {
    this.#gl.deleteTexture(this.#texture);
  }
}

const faint = [0.55, 0.58, 0.6, 0.12] as const;

function linkProgram(gl: WebGL2RenderingContext): WebGLProgram | null {
  const program = gl.createProgram();
  for (const [type, source] of [
    [gl.VERTEX_SHADER, vertexShader],
    [gl.FRAGMENT_SHADER, fragmentShader],
  ] as const) {
    const shader = gl.createShader(type);
    if (!shader) return null;
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  return gl.getProgramParameter(program, gl.LINK_STATUS) === true ? program : null;
}

/** A buffer for each of x, y and group: ten bytes a point, in an order of which every beginning is a fair sample. */
function fillAttributes(gl: WebGL2RenderingContext, program: WebGLProgram, points: MapPoints): WebGLBuffer[] {
  const { x, y, groups } = scattered(points);
  return [
    { name: "x", data: x, type: gl.FLOAT },
    { name: "y", data: y, type: gl.FLOAT },
    { name: "group", data: groups, type: gl.SHORT },
  ].map(({ name, data, type }) => {
    const buffer = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
    const location = gl.getAttribLocation(program, name);
    gl.enableVertexAttribArray(location);
    if (type === gl.SHORT) gl.vertexAttribIPointer(location, 1, type, 0, 0);
    else gl.vertexAttribPointer(location, 1, type, false, 0, 0);
    return buffer;
  });
}
