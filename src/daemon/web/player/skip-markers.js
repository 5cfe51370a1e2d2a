/** @typedef {{label: string, start: number, end: number}} SkipMarker a range of the film in seconds, and the text of its button */

const LABELS = new Map([
  ['intro', 'Skip intro'],
  ['recap', 'Skip recap'],
  ['outro', 'Skip credits'],
  ['preview', 'Skip preview'],
])

/** A button that is visible for less than this cannot be used. */
const MIN_SECONDS = 1

/**
 * Parses the markers of an item into the ranges that can be skipped, in the order of their start.
 * @param {{type: string, start_seconds: number, end_seconds: number}[]} markers as in the playback information of an item
 * @returns {SkipMarker[]}
 */
export function parseSkipMarkers(markers) {
  return markers
    .map(({ type, start_seconds: start, end_seconds: end }) => ({ label: LABELS.get(type), start, end }))
    .filter(({ label, start, end }) => label !== undefined && end - start >= MIN_SECONDS)
    .toSorted((one, other) => one.start - other.start)
}

/**
 * The range that contains a position; of overlapping ranges the one that begins last. A range ends slightly earlier for the button, so that
 * a jump to its end leaves the range although players round positions.
 * @param {readonly SkipMarker[]} markers
 */
export function markerAt(markers, seconds) {
  return markers.findLast(({ start, end }) => seconds >= start && seconds < end - 0.5)
}
