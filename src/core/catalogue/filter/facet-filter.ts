import { catalogueErrors } from '../errors.ts'
import type { NumberRange } from './number-range.ts'
import { MEDIA_ITEM_TYPES, type MediaItemType } from '../item/media-item.ts'
import { postgresSafeText } from '../item/postgres-safe.ts'

/** The kind of a facet, as `item_facets` in the database marks it: genres, actors, companies, content ratings. */
export type FacetKind = 'g' | 'a' | 'c' | 'r'

/** Matches items with at least one of these values. */
export type FacetFilter = { kind: FacetKind; values: readonly string[] }

export type RatingRanges = {
  /** Range of the community rating, 0 to 10. */
  votes: NumberRange | undefined
  /** Range of the rank of the content rating; see `RATING_NAMES`. */
  ranks: NumberRange | undefined
}

/** Content ratings ordered by age, youngest first, ranked from 1. The database function `content_rating_rank` has the same order. */
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
/** Maximum number of characters that are compared. The database stores no more of a facet value. */
const MAX_VALUE_LENGTH = 200

type FacetValues = Partial<Record<'genres' | 'actors' | 'companies' | 'ratings', readonly string[] | undefined>>

/** The facet filters of a request. Blank values are dropped, and a list of blank values is no filter. */
export function parseFacets({ genres, actors, companies, ratings }: FacetValues): FacetFilter[] {
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

/** Type names of the API for pictures and pieces of music, with the types of the catalogue. */
const TYPE_ALIASES: ReadonlyMap<string, MediaItemType> = new Map([
  ['photo', 'image'],
  ['track', 'audio'],
  ['music', 'audio'],
])

/** The requested types. Unknown names are dropped, so that a list of unknown names matches nothing. */
export function parseItemTypes(words: readonly string[] | undefined): MediaItemType[] | undefined {
  const wanted = (words ?? []).map((word) => word.trim().toLowerCase()).filter((word) => word !== '')
  if (wanted.length === 0) return undefined
  const known = MEDIA_ITEM_TYPES.filter((type) =>
    wanted.some((word) => word === type || TYPE_ALIASES.get(word) === type),
  )
  return known
}

/**
 * Reads `minRating` and `maxRating`, each a number or the name of a content rating.
 * @throws AppError `invalid_request` with `details.field`
 */
export function parseRatingRanges(bounds: {
  minRating?: string | undefined
  maxRating?: string | undefined
}): RatingRanges {
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

function rangeOf(from: number | undefined, to: number | undefined): NumberRange | undefined {
  return from === undefined && to === undefined ? undefined : { from: from ?? null, to: to ?? null }
}
