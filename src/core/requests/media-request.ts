import { requestErrors } from './errors.ts'

export const REQUEST_STATUSES = ['pending', 'approved', 'available', 'rejected'] as const

export type RequestStatus = (typeof REQUEST_STATUSES)[number]

/** A person's wish for a title (document 1, Media request). */
export type MediaRequest = {
  /** UUID. */
  id: string
  /** UUID of whoever made it. */
  userId: string
  type: 'movie' | 'series'
  /** The title's id in the external catalogue (TMDB). */
  catalogId: number
  title: string
  posterUrl: string | null
  /** Its number at TVDB, which Sonarr goes by; known of series that Sonarr has accepted. */
  tvdbId: number | null
  /** Of series only; 0 is the season of specials. Null: the whole series. */
  seasonNumber: number | null
  /** Null: the whole season. */
  episodeNumber: number | null
  status: RequestStatus
  rejectionReason: string | null
  createdAt: Date
  updatedAt: Date
}

/** What a request is made from, not yet checked: a field may be absent or of any type. */
export type RequestInput = {
  type?: unknown
  catalogId?: unknown
  title?: unknown
  posterUrl?: unknown
  season?: unknown
  episode?: unknown
}

/** The same after `checkRequest`. */
export type Wish = Pick<MediaRequest, 'type' | 'catalogId' | 'title' | 'posterUrl' | 'seasonNumber' | 'episodeNumber'>

const MAX_INTEGER = 2_147_483_647
const TITLE_MAX_CHARACTERS = 500
const POSTER_MAX_CHARACTERS = 2048
const REASON_MAX_CHARACTERS = 1000

/** An address of the web, or a path of the catalogue's image host; nothing that a page could run. */
const POSTER = /^(?:https?:\/\/[^\s\p{Cc}]+|\/[^\s\p{Cc}]+)$/u

/**
 * Checks what a request is made from, in the order of document 1's table. A movie has no season and no episode, whatever was sent.
 * @param rules.allowWholeSeries whether a series may be asked for without a season or an episode (decisions 3.7, Requests)
 * @throws AppError `invalid_type`, `invalid_catalog_id`, `missing_title`, `missing_season`, `missing_episode`, `invalid_request`
 */
export function checkRequest(input: RequestInput, rules: { allowWholeSeries: boolean }): Wish {
  const { type } = input
  if (type !== 'movie' && type !== 'series') throw requestErrors.invalid_type()
  if (!isWhole(input.catalogId, 1)) throw requestErrors.invalid_catalog_id()
  const wish: Omit<Wish, 'seasonNumber' | 'episodeNumber'> = {
    type,
    catalogId: input.catalogId,
    title: readTitle(input.title),
    posterUrl: readPosterUrl(input.posterUrl),
  }
  if (type === 'movie') return { ...wish, seasonNumber: null, episodeNumber: null }
  const seasonNumber = readNumber(input.season, 'season')
  const episodeNumber = readNumber(input.episode, 'episode')
  if (seasonNumber === null && (episodeNumber !== null || !rules.allowWholeSeries)) throw requestErrors.missing_season()
  if (episodeNumber === null && !rules.allowWholeSeries) throw requestErrors.missing_episode()
  return { ...wish, seasonNumber, episodeNumber }
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
 * Reads why a request is denied: absent, null and blank are no reason.
 * @throws AppError `invalid_request` for what is no text or too long
 */
export function readReason(value: unknown): string | null {
  if (value === undefined || value === null) return null
  const isText = typeof value === 'string' && isStorable(value) && Array.from(value).length <= REASON_MAX_CHARACTERS
  if (!isText) throw invalidField('reason', `must be text of at most ${REASON_MAX_CHARACTERS} characters`)
  return value.trim() === '' ? null : value.trim()
}

/** PostgreSQL stores neither NUL nor half of a surrogate pair. */
function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}

function invalidField(field: string, problem: string) {
  return requestErrors.invalid_request({ message: `${field} ${problem}`, details: { field } })
}
