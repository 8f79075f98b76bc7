/**
 * The time of an edge that has always been there: of a relation without times, beside others that have some. Such edges
 * are there for links of any time, and for each other (`numBefore`).
 */
export const always = Number.NEGATIVE_INFINITY;

const placeOfAlways = -1;

/** Places of times among all of a graph, as artifacts hold them, as times. @returns float64 */
export function timesOfPlaces(places: Int32Array): Float64Array {
  return Float64Array.from(places, (place) => (place === placeOfAlways ? always : place));
}

/** Times that are places, or `always`, as artifacts hold them. @returns int32, −1 for `always` */
export function placesOfTimes(times: Float64Array): Int32Array {
  return Int32Array.from(times, (time) => (time === always ? placeOfAlways : time));
}

/** The place of each time among the distinct ones, from 0; int32, −1 for `always`. */
export function placesAmong(times: Float64Array): Int32Array {
  const dated = Int32Array.from(times.keys()).filter((at) => times[at] !== always);
  const order = dated.toSorted((a, b) => times[a]! - times[b]!);
  const places = new Int32Array(times.length).fill(placeOfAlways);
  let place = 0;
  order.forEach((at, i) => {
    if (i > 0 && times[at] !== times[order[i - 1]!]) place += 1;
    places[at] = place;
  });
  return places;
}
