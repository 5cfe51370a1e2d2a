import { languageTag } from '../../tracks/index.ts'
import type { StreamSubtitle } from '../job/stream-plan.ts'

const UNDETERMINED = 'und'

/**
 * Chooses the subtitle track to show by default for a viewer's language. Full subtitles are preferred to subtitles for the hard of hearing,
 * and the exact language (`pt-BR`) to a related one (`pt`). Forced tracks are never chosen, because players show them on their own. Pure.
 * @param language a language name or tag: `en`, `eng`, `pt-BR`
 * @returns the index of the track within the job, or null if no track matches the language
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
