import type { Timeline } from '../api-types.d.ts'
import { sectionsOf, type Section } from './sections.ts'
import { createTimelinePhotos, type TimelinePhotos } from './timeline-photos.ts'

export type KeptTimeline = { sections: readonly Section[]; photos: TimelinePhotos }

let kept: { key: string; timeline: KeptTimeline } | undefined

/**
 * The timeline that was shown last, known photos included, if nothing has changed. A step back shows it at once.
 * @param version another one means that everything may have changed
 */
export function keptTimeline(months: Timeline['months'], library: string, version: number): KeptTimeline {
  const key = JSON.stringify([version, library, months])
  if (kept?.key !== key) {
    const sections = sectionsOf(months)
    kept = { key, timeline: { sections, photos: createTimelinePhotos(sections, library) } }
  }
  return kept.timeline
}
