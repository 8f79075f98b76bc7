import { colorOfGroup, type PointRenderer, type RendererFactory, rgbOf } from "./point-renderer.ts";
import type { MapPoints } from "./view.ts";

/*
 * Plain WebGL 2 in place of regl-scatterplot: regl builds its commands with `Function(…)`, which the API's content
 * security policy forbids, and this page needs points only.
 */

const vertexShader = `#version 300 es
in vec2 position;
in vec3 color;
in float group;
uniform vec2 center;
uniform vec2 scale;
uniform float diameter;
uniform bool dimmed[256];
uniform bool anyDimmed;
out vec4 shade;
void main() {
  gl_Position = vec4((position - center) * scale, 0.0, 1.0);
  gl_PointSize = diameter;
  int slot = int(group) & 255;
  bool faint = anyDimmed && dimmed[slot];
  shade = faint ? vec4(0.55, 0.58, 0.6, 0.12) : vec4(color, 0.78);
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
  const gl = canvas.getContext("webgl2", { antialias: false, premultipliedAlpha: true });
  if (!gl) return null;
  const program = linkProgram(gl);
  if (!program) return null;
  gl.useProgram(program);
  fillAttributes(gl, program, points, colors);
  gl.enable(gl.BLEND);
  gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  const uniform = (name: string) => gl.getUniformLocation(program, name);
  const center = uniform("center");
  const scale = uniform("scale");
  const diameter = uniform("diameter");
  const dimmed = uniform("dimmed");
  const anyDimmed = uniform("anyDimmed");
  const renderer: PointRenderer = {
    kind: "webgl",
    draw({ view, size, radius, highlighted }) {
      const ratio = canvas.width / size.width;
      gl.viewport(0, 0, canvas.width, canvas.height);
      gl.clearColor(0, 0, 0, 0);
      gl.clear(gl.COLOR_BUFFER_BIT);
      gl.uniform2f(center, view.centerX, view.centerY);
      gl.uniform2f(scale, (2 * view.scale) / size.width, (2 * view.scale) / size.height);
      gl.uniform1f(diameter, Math.max(1, 2 * radius * ratio));
      gl.uniform1i(anyDimmed, highlighted === null ? 0 : 1);
      if (highlighted) gl.uniform1iv(dimmed, dimmedSlots(highlighted));
      gl.drawArrays(gl.POINTS, 0, points.x.length);
    },
    dispose: () => gl.deleteProgram(program),
  };
  return renderer;
};

function dimmedSlots(highlighted: ReadonlySet<number>): Int32Array {
  return Int32Array.from({ length: 256 }, (_, slot) => (highlighted.has(slot === 255 ? -1 : slot) ? 0 : 1));
}

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

/** One interleaved buffer: x, y, r, g, b, group. */
function fillAttributes(
  gl: WebGL2RenderingContext,
  program: WebGLProgram,
  points: MapPoints,
  colors: readonly string[],
) {
  const stride = 6;
  const data = new Float32Array(points.x.length * stride);
  for (let i = 0; i < points.x.length; i++) {
    const group = points.groups[i] ?? -1;
    data.set([points.x[i] ?? 0, points.y[i] ?? 0, ...rgbOf(colorOfGroup(colors, group)), group & 255], i * stride);
  }
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
  for (const [name, size, offset] of [
    ["position", 2, 0],
    ["color", 3, 2],
    ["group", 1, 5],
  ] as const) {
    const location = gl.getAttribLocation(program, name);
    gl.enableVertexAttribArray(location);
    gl.vertexAttribPointer(location, size, gl.FLOAT, false, stride * 4, offset * 4);
  }
}
