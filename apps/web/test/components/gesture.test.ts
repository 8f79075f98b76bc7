import { expect, test } from "vitest";
import { Gesture } from "../../src/components/EmbeddingMap/gesture.ts";
import { toMap, type View } from "../../src/components/EmbeddingMap/view.ts";

const size = { width: 400, height: 300 };
const view: View = { centerX: 0, centerY: 0, scale: 10 };

/** The view after one of the held pointers moved. */
function moved(gesture: Gesture, from: View, id: number, x: number, y: number): View {
  return gesture.move(id, { x, y })?.(from, size) ?? from;
}

test("one finger drags: what lay under it lies under it still", () => {
  const gesture = new Gesture();
  gesture.down(1, { x: 100, y: 100 });
  const next = moved(gesture, view, 1, 130, 80);
  expect(toMap(next, size, 130, 80)).toEqual(toMap(view, size, 100, 100));
  expect(next.scale).toBe(view.scale);
  expect(gesture.up(1)).toBe(false);
});

test("two fingers zoom: the map grows as they part, around what lies between them", () => {
  const gesture = new Gesture();
  gesture.down(1, { x: 150, y: 150 });
  gesture.down(2, { x: 250, y: 150 });
  const half = moved(gesture, view, 1, 100, 150);
  const next = moved(gesture, half, 2, 300, 150);
  expect(next.scale).toBeCloseTo(2 * view.scale);
  const [x, y] = toMap(next, size, 200, 150);
  expect([x, y]).toEqual([expect.closeTo(toMap(view, size, 200, 150)[0]), expect.closeTo(0)]);
  expect(gesture.up(1), "no tap, though the first finger hardly moved").toBe(false);
  expect(gesture.up(2)).toBe(false);
  expect(gesture.isHeld).toBe(false);
});

test("a finger that goes up where it went down was a tap; one that dragged and came back was not", () => {
  const gesture = new Gesture();
  gesture.down(1, { x: 50, y: 50 });
  gesture.move(1, { x: 52, y: 51 });
  expect(gesture.up(1)).toBe(true);
  gesture.down(1, { x: 50, y: 50 });
  gesture.move(1, { x: 90, y: 50 });
  gesture.move(1, { x: 50, y: 50 });
  expect(gesture.up(1)).toBe(false);
});

test("a pointer that does not hold the map, and a third finger, move nothing", () => {
  const gesture = new Gesture();
  expect(gesture.move(7, { x: 1, y: 1 })).toBeNull();
  for (const id of [1, 2, 3]) gesture.down(id, { x: id * 10, y: 0 });
  expect(gesture.move(3, { x: 90, y: 0 })).toBeNull();
});
