import { languageTag } from '../tracks/index.ts'
import type { StreamSubtitle } from './stream-job.ts'

const UNDETERMINED = 'und'

/**
 * The track that a viewer with this language is shown unasked: whole subtitles before those for the hard of hearing, the exact language
 * (`pt-BR`) before a related one (`pt`). Forced tracks are never chosen: players show those by themselves. Pure.
 * @param language as people and programs write it: `en`, `eng`, `pt-BR`
 * @returns its number within the job; null where there is none
 */
export function chooseSubtitle(subtitles: readonly StreamSubtitle[], language: string): number | null {
  const wanted = languageTag(language)
  if (wanted === UNDETERMINED) return null
  const fitOf = (track: StreamSubtitle): number =>
    (track.language === wanted ? 0 : 2) + (track.isHearingImpaired ? 1 : 0)
  const [best] = subtitles
    .filter(({ language: tag, isForced, isGone }) => !isForced && !isGone && baseOf(tag) === baseOf(wanted))
    .toSorted((a, b) => fitOf(a) - fitOf(b))
  return best?.index ?? null
}

function baseOf(tag: string): string {
  return tag.split('-', 1)[0] ?? tag
}
