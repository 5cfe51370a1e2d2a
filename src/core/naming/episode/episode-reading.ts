import { type BareNumber } from '../numbering/number-score.ts'
import { findBracketedNameStart } from '../text/bracketed-name.ts'
import {
  findEpisodeNumbers,
  type EpisodeNumbers,
  type NameParts,
  type NameContext,
} from '../numbering/episode-numbers.ts'
import { splitEpisodePart } from './episode-part.ts'
import { episodeTitles } from './episode-titles.ts'
import { namePrefixLength } from '../release/name-prefix.ts'
import { normalizeName, separatorsToSpaces } from '../text/name-text.ts'
import { extractProviderIds, type ProviderIds } from '../text/provider-ids.ts'
import { splitSeriesYear } from './series-year.ts'

/** The result of parsing one name, of a file or a folder. */
export type EpisodeReading = {
  /** Name of the series without its year; null if the name does not contain it. */
  seriesName: string | null
  seriesYear: number | null
  providerIds: ProviderIds
  season: number | null
  /** The first episode, with a season of its own or one from elsewhere. */
  episode: number | null
  ending: number | null
  /** A number without a marker; whether it is relative to a season or absolute is undecided. */
  bare: BareNumber | null
  /** Whether it begins with a group name, as in anime, where numbers are absolute. */
  hasGroup: boolean
  /** The letter after the number, for an episode in several stories: `S01E02a`. */
  letter: string | null
  airDate: string | null
  title: string | null
  /** The part number of a story in several episodes, from the end of the title. */
  part: number | null
  hasSpecialWord: boolean
  /** The word for specials before the number: of `OVA 2`. */
  specialWord: string | null
}

/** Parses one name without its extension. Never fails; a missing value is null. */
export function parseEpisodeReading(stem: string, context: NameContext): EpisodeReading {
  const { ids, rest } = extractProviderIds(asciiDigits(normalizeName(stem)))
  const text = separatorsToSpaces(rest)
  const from = findBracketedNameStart(text) ?? namePrefixLength(text)
  const parts: NameParts = { rest, text, from, hasGroup: /^ *[[【]/.test(text.slice(0, from)) }
  const numbers = findEpisodeNumbers(parts, context)
  const { name, title: whole, year } = episodeTitles(parts, numbers, context)
  // A part is read only if there is an explicit number; anime titles may be `Title 05 Part 1`.
  const isNumbered = numbers.date !== undefined || (numbers.marker?.season ?? null) !== null
  const { title, part } = isNumbered ? splitEpisodePart(whole) : { title: whole, part: null }
  const series = splitSeriesYear(name)
  return {
    ...valuesOf(numbers),
    letter: letterOf(text, numbers),
    hasGroup: parts.hasGroup,
    seriesName: series.name === '' ? null : series.name,
    // A year after the number may belong to the episode, and the folder has the year of the series.
    seriesYear: series.year ?? (context.isInside ? null : year),
    providerIds: ids,
    title: title === '' ? null : title,
    part,
  }
}

/** A number after a word for specials is in season 0, unless the name has another season. */
function seasonOf(marker: EpisodeNumbers['marker'], season: EpisodeNumbers['season']): number | null {
  return marker?.season ?? season?.season ?? (marker?.special === undefined ? null : 0)
}

type Values = Pick<
  EpisodeReading,
  'season' | 'episode' | 'ending' | 'bare' | 'airDate' | 'hasSpecialWord' | 'specialWord'
>

function valuesOf({ marker, season, date, bare, special }: EpisodeNumbers): Values {
  return {
    season: seasonOf(marker, season),
    episode: marker?.episode ?? null,
    ending: marker?.ending ?? null,
    bare: bare ?? null,
    airDate: date?.date ?? null,
    hasSpecialWord: special !== undefined,
    specialWord: marker?.special ?? null,
  }
}

function letterOf(text: string, { marker, bare }: EpisodeNumbers): string | null {
  const mark = marker ?? bare
  if (mark === undefined) return null
  return /\d([a-d])(?: ?v\d)?[)\]]?$/i.exec(text.slice(mark.start, mark.end))?.[1]?.toLowerCase() ?? null
}

/** Replaces the full-width digits of East Asian names. */
function asciiDigits(text: string): string {
  return text.replaceAll(/[０-９]/g, (digit) => String.fromCodePoint((digit.codePointAt(0) ?? 0) - 0xff10 + 0x30))
}
