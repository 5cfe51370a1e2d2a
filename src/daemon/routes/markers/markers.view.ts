import { isMarkerType, type Marker, type MarkerType } from '../../../core/analysis/index.ts'
import { markerView } from '../../../core/views/index.ts'

/** Ticks of 100 ns, in which clients give positions. */
const TICKS_PER_MILLISECOND = 10_000

/** The markers that contain a position, its ends included; all without a position. */
export function filterMarkersAt(markers: readonly Marker[], positionTicks: number | undefined): Marker[] {
  if (positionTicks === undefined) return [...markers]
  const position = positionTicks / TICKS_PER_MILLISECOND
  return markers.filter((marker) => marker.startMilliseconds <= position && position <= marker.endMilliseconds)
}

/** The four boundaries that players show their buttons by: whole seconds inside the exact range; null hides a button. */
export function skipButtonsView(markers: readonly Marker[]) {
  const [intro, outro] = [markerRangeView(markers, 'intro'), markerRangeView(markers, 'outro')]
  return {
    skip_intro_start: intro?.start_seconds ?? null,
    skip_intro_end: intro?.end_seconds ?? null,
    skip_outro_start: outro?.start_seconds ?? null,
    skip_outro_end: outro?.end_seconds ?? null,
  }
}

/** The range of one type; null if the item has none. */
export function markerRangeView(markers: readonly Marker[], type: MarkerType) {
  const marker = markers.find((one) => one.type === type)
  if (marker === undefined) return null
  const { start_seconds, end_seconds } = markerView(marker)
  return { start_seconds, end_seconds }
}

/** A marker with all names that clients read for its boundaries. */
export function namedMarkerView(marker: Marker) {
  const view = markerView(marker)
  return {
    ...view,
    label: view.title,
    start: view.start_seconds,
    end: view.end_seconds,
    startMs: view.start_ms,
    endMs: view.end_ms,
  }
}

/** The markers of an item. */
export function markersView(markers: readonly Marker[]) {
  const named = markers.map(namedMarkerView)
  return {
    markers: named,
    intro: named.find(({ type }) => type === 'intro') ?? null,
    outro: named.find(({ type }) => type === 'outro') ?? null,
  }
}

/** `credits` is another name of `outro`. Undefined for a type that no item has, such as advertisements. */
export function parseMarkerType(name: string): MarkerType | undefined {
  if (name === 'credits') return 'outro'
  return isMarkerType(name) ? name : undefined
}
