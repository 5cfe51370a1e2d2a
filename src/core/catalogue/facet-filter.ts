import { catalogueErrors } from './errors.ts'
import type { Range } from './item-filter.ts'
import { MEDIA_ITEM_TYPES, type MediaItemType } from './media-item.ts'
import { postgresSafeText } from './postgres-safe.ts'

/** Which kind of words, as `item_facets` in the database marks them: genres, actors, companies, content ratings. */
export type FacetKind = 'g' | 'a' | 'c' | 'r'

/** Any of these words. */
export type FacetFilter = { kind: FacetKind; values: readonly string[] }

export type Scores = {
  /** What people give it, 0 to 10. */
  votes: Range | undefined
  /** How grown-up its content rating is; see `RATING_NAMES`. */
  ranks: Range | undefined
}

/** From the youngest up (document 4, 2.2), counted from 1; the function `content_rating_rank` of the database says the same. */
export const RATING_NAMES: readonly string[] = [
  'G',
  'TV-Y',
  'TV-G',
  'TV-Y7',
  'PG',
  'TV-PG',
  'PG-13',
  'TV-14',
  'R',
  'TV-MA',
  'NC-17',
  'X',
  'UNRATED',
]

const MAX_VALUES = 100
/** Of what is compared; the database keeps no more of a word. */
const MAX_VALUE_LENGTH = 200

type Words = Partial<Record<'genres' | 'actors' | 'companies' | 'ratings', readonly string[] | undefined>>

/** The word filters of a request; blank words are none, and a list of blank words is no filter. */
export function readFacets({ genres, actors, companies, ratings }: Words): FacetFilter[] {
  const lists: [FacetKind, readonly string[] | undefined][] = [
    ['g', genres],
    ['a', actors],
    ['c', companies],
    ['r', ratings],
  ]
  return lists.flatMap(([kind, words = []]) => {
    const values = [...new Set(words.map(readWord))].filter((word) => word !== '').slice(0, MAX_VALUES)
    return values.length === 0 ? [] : [{ kind, values }]
  })
}

function readWord(word: string): string {
  return Array.from(postgresSafeText(word).trim()).slice(0, MAX_VALUE_LENGTH).join('')
}

/** What clients call pictures and pieces of music, and what the catalogue does (document 1, Media item). */
const ALSO: ReadonlyMap<string, MediaItemType> = new Map([
  ['photo', 'image'],
  ['track', 'audio'],
  ['music', 'audio'],
])

/** The types that are meant; words that are none are left out, so that a list of nothing else matches nothing. */
export function readTypes(words: readonly string[] | undefined): MediaItemType[] | undefined {
  const wanted = (words ?? []).map((word) => word.trim().toLowerCase()).filter((word) => word !== '')
  if (wanted.length === 0) return undefined
  const known = MEDIA_ITEM_TYPES.filter((type) => wanted.some((word) => word === type || ALSO.get(word) === type))
  return known
}

/**
 * Reads `minRating` and `maxRating`, each a number or the name of a content rating.
 * @throws AppError `invalid_request` with `details.field`
 */
export function readScores(bounds: { minRating?: string | undefined; maxRating?: string | undefined }): Scores {
  const from = readBound(bounds.minRating, 'minRating')
  const to = readBound(bounds.maxRating, 'maxRating')
  return { votes: rangeOf(from?.vote, to?.vote), ranks: rangeOf(from?.rank, to?.rank) }
}

function readBound(value: string | undefined, field: string): { vote?: number; rank?: number } | undefined {
  const text = value?.trim() ?? ''
  if (text === '') return undefined
  const rank = RATING_NAMES.indexOf(text.toUpperCase()) + 1
  if (rank > 0) return { rank }
  if (/^-?\d{1,15}(?:\.\d{1,15})?$/.test(text)) return { vote: Number(text) }
  throw catalogueErrors.invalid_request({
    message: `${field} must be a number or a content rating`,
    details: { field },
  })
}

function rangeOf(from: number | undefined, to: number | undefined): Range | undefined {
  return from === undefined && to === undefined ? undefined : { from: from ?? null, to: to ?? null }
}
