import { requestErrors } from './errors.ts'

export const REQUEST_STATUSES = ['pending', 'approved', 'available', 'rejected'] as const

export type RequestStatus = (typeof REQUEST_STATUSES)[number]

/** A user's request for a title. */
export type MediaRequest = {
  /** UUID. */
  id: string
  /** UUID of the requester. */
  userId: string
  type: 'movie' | 'series'
  /** The id of the title in the external catalogue (TMDB). */
  catalogId: number
  title: string
  posterUrl: string | null
  /** The TVDB id, which Sonarr uses; known for series that Sonarr has accepted. */
  tvdbId: number | null
  /** Season of a requested series; 0 is the season of specials. Null: the whole series, or a movie. */
  seasonNumber: number | null
  /** Null: the whole season. */
  episodeNumber: number | null
  status: RequestStatus
  rejectionReason: string | null
  createdAt: Date
  updatedAt: Date
}

/** The input for a request, not validated: a field may be absent or of any type. */
export type RequestInput = {
  type?: unknown
  catalogId?: unknown
  title?: unknown
  posterUrl?: unknown
  season?: unknown
  episode?: unknown
}

/** The result of `checkMediaRequest`. */
export type CheckedMediaRequest = Pick<
  MediaRequest,
  'type' | 'catalogId' | 'title' | 'posterUrl' | 'seasonNumber' | 'episodeNumber'
>

const MAX_INTEGER = 2_147_483_647
const TITLE_MAX_CHARACTERS = 500
const POSTER_MAX_CHARACTERS = 2048
const REASON_MAX_CHARACTERS = 1000

/** A web address, or a path on the catalogue's image host; no scheme that a page could execute. */
const POSTER = /^(?:https?:\/\/[^\s\p{Cc}]+|\/[^\s\p{Cc}]+)$/u

/**
 * Validates the input for a request, in the order that the API defines for errors. For a movie, season and episode are ignored.
 * @param rules.allowWholeSeries whether a series may be requested without a season or an episode
 * @throws AppError `invalid_type`, `invalid_catalog_id`, `missing_title`, `missing_season`, `missing_episode`, `invalid_request`
 */
export function checkMediaRequest(input: RequestInput, rules: { allowWholeSeries: boolean }): CheckedMediaRequest {
  const { type } = input
  if (type !== 'movie' && type !== 'series') throw requestErrors.invalid_type()
  if (!isWhole(input.catalogId, 1)) throw requestErrors.invalid_catalog_id()
  const fields: Omit<CheckedMediaRequest, 'seasonNumber' | 'episodeNumber'> = {
    type,
    catalogId: input.catalogId,
    title: readTitle(input.title),
    posterUrl: readPosterUrl(input.posterUrl),
  }
  if (type === 'movie') return { ...fields, seasonNumber: null, episodeNumber: null }
  const seasonNumber = readNumber(input.season, 'season')
  const episodeNumber = readNumber(input.episode, 'episode')
  if (seasonNumber === null && (episodeNumber !== null || !rules.allowWholeSeries)) throw requestErrors.missing_season()
  if (episodeNumber === null && !rules.allowWholeSeries) throw requestErrors.missing_episode()
  return { ...fields, seasonNumber, episodeNumber }
}

function readTitle(value: unknown): string {
  const title = typeof value === 'string' ? value.trim() : ''
  if (title === '') throw requestErrors.missing_title()
  if (!isStorable(title) || Array.from(title).length > TITLE_MAX_CHARACTERS) {
    throw invalidField('title', `must be text of at most ${TITLE_MAX_CHARACTERS} characters`)
  }
  return title
}

function readPosterUrl(value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null
  if (typeof value === 'string' && value.length <= POSTER_MAX_CHARACTERS && isStorable(value) && POSTER.test(value)) {
    return value
  }
  throw invalidField('poster_url', 'must be a web address or null')
}

function readNumber(value: unknown, field: 'season' | 'episode'): number | null {
  if (value === undefined || value === null) return null
  if (isWhole(value, 0)) return value
  throw invalidField(field, 'must be a whole number from 0, or null')
}

function isWhole(value: unknown, min: number): value is number {
  return Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= MAX_INTEGER
}

/**
 * Reads the reason of a denial; absent, null and blank mean none.
 * @throws AppError `invalid_request` for a value that is not text or too long
 */
export function parseDenialReason(value: unknown): string | null {
  if (value === undefined || value === null) return null
  const isText = typeof value === 'string' && isStorable(value) && Array.from(value).length <= REASON_MAX_CHARACTERS
  if (!isText) throw invalidField('reason', `must be text of at most ${REASON_MAX_CHARACTERS} characters`)
  return value.trim() === '' ? null : value.trim()
}

/** PostgreSQL stores neither NUL nor unpaired surrogates. */
function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}

function invalidField(field: string, problem: string) {
  return requestErrors.invalid_request({ message: `${field} ${problem}`, details: { field } })
}
