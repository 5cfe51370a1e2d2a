import type { ICommonTagsResult } from 'music-metadata'
import { cleanLine, cleanLines } from '../untrusted-values.ts'
import type { AudiobookTags } from './audio-tags.ts'
import type { NativeTags } from './native-tags.ts'

/** Tags with the series, in order of precedence. MVNM and MVIN are Apple's movement frames, which audiobook shops use for the series. */
const SERIES = ['series', 'mvnm', '©mvn', 'movementname', 'album series', 'grp1']
const SERIES_PART = ['series-part', 'seriespart', 'series_part', 'series sequence', 'mvin', '©mvi', 'movement']
const NARRATOR = ['narrator', 'narratedby', 'narrated by', '©nrt']
const ASIN = ['asin', 'audible_asin', 'cdek']

/** Apple's media types: 2 is an audiobook. */
const AUDIOBOOK_KIND = 2

/**
 * Returns series, narrators and ASIN of an audiobook. Without a narrator tag the composer is used, as in Audiobookshelf and in Audible's
 * own files.
 */
export function readAudiobookTags(common: ICommonTagsResult, native: NativeTags): AudiobookTags {
  const narrators = NARRATOR.flatMap((name) => cleanLines(native.get(name)).flatMap((line) => namesIn(line)))
  const asin = first(native, ASIN)?.toUpperCase() ?? ''
  return {
    isAudiobook: common.stik === AUDIOBOOK_KIND,
    series: first(native, SERIES),
    seriesPart: partOf(first(native, SERIES_PART)),
    narrators: [...new Set(narrators.length > 0 ? narrators : cleanLines(common.composer))],
    asin: /^[A-Z0-9]{10}$/.test(asin) ? asin : null,
  }
}

function first(native: NativeTags, names: readonly string[]): string | null {
  for (const name of names) {
    const [line] = cleanLines(native.get(name))
    if (line !== undefined) return line
  }
  return null
}

/** Returns `3`, `0.5` or `2-3`; from `3/12` only the part. */
function partOf(text: string | null): string | null {
  return cleanLine(/^\d{1,4}(?:\.\d{1,2})?(?:-\d{1,4}(?:\.\d{1,2})?)?(?=\s*(?:\/|$))/.exec(text ?? '')?.[0])
}

/** Splits `Ann Reader, Bob Speaker & Co` at separators that do not occur in names. */
function namesIn(line: string): string[] {
  return cleanLines(line.split(/[;&,/]|\band\b/))
}
