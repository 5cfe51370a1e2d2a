import type { Marker, MarkerType } from '../analysis/index.ts'

/** The English name of a part of a film. */
const TITLES: Readonly<Record<MarkerType, string>> = {
  intro: 'Intro',
  recap: 'Recap',
  preview: 'Preview',
  outro: 'Credits',
}

/**
 * A marker. Whole seconds lie inside the exact range, so that skipping never cuts what is not part of it; `start_ms` and `end_ms` are exact.
 */
export function markerView(marker: Marker) {
  return {
    type: marker.type,
    title: TITLES[marker.type],
    ...wholeSeconds(marker),
    start_ms: marker.startMilliseconds,
    end_ms: marker.endMilliseconds,
    source: marker.source,
    confidence: marker.confidence,
  }
}

function wholeSeconds({ startMilliseconds, endMilliseconds }: Marker) {
  const start = Math.ceil(startMilliseconds / 1000)
  return { start_seconds: start, end_seconds: Math.max(start, Math.floor(endMilliseconds / 1000)) }
}
