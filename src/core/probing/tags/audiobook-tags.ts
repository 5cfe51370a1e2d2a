import type { ICommonTagsResult } from 'music-metadata'
import { lineOf, linesOf } from '../postgres-safe-text.ts'
import type { AudiobookTags } from './audio-tags.ts'
import type { NativeTags } from './native-tags.ts'

/** In order of trust. MVNM and MVIN are Apple's movement frames, in which audiobook shops keep the series. */
const SERIES = ['series', 'mvnm', '©mvn', 'movementname', 'album series', 'grp1']
const SERIES_PART = ['series-part', 'seriespart', 'series_part', 'series sequence', 'mvin', '©mvi', 'movement']
const NARRATOR = ['narrator', 'narratedby', 'narrated by', '©nrt']
const ASIN = ['asin', 'audible_asin', 'cdek']

/** Apple's media types: 2 is an audiobook. */
const AUDIOBOOK_KIND = 2

/**
 * Series, narrators and shop number of an audiobook. Where no tag names a narrator the composer counts, as in Audiobookshelf and
 * in what Audible's own files hold.
 */
export function audiobookTagsOf(common: ICommonTagsResult, native: NativeTags): AudiobookTags {
  const narrators = NARRATOR.flatMap((name) => linesOf(native.get(name)).flatMap((line) => namesIn(line)))
  const asin = first(native, ASIN)?.toUpperCase() ?? ''
  return {
    isAudiobook: common.stik === AUDIOBOOK_KIND,
    series: first(native, SERIES),
    seriesPart: partOf(first(native, SERIES_PART)),
    narrators: [...new Set(narrators.length > 0 ? narrators : linesOf(common.composer))],
    asin: /^[A-Z0-9]{10}$/.test(asin) ? asin : null,
  }
}

function first(native: NativeTags, names: readonly string[]): string | null {
  for (const name of names) {
    const [line] = linesOf(native.get(name))
    if (line !== undefined) return line
  }
  return null
}

/** `3`, `0.5`, `2-3`; `3/12` counts the series too. */
function partOf(text: string | null): string | null {
  return lineOf(/^\d{1,4}(?:\.\d{1,2})?(?:-\d{1,4}(?:\.\d{1,2})?)?(?=\s*(?:\/|$))/.exec(text ?? '')?.[0])
}

/** `Ann Reader, Bob Speaker & Co`: people are parted by the signs that no name holds. */
function namesIn(line: string): string[] {
  return linesOf(line.split(/[;&,/]|\band\b/))
}
