import { z } from 'zod'
import {
  deliveredResult,
  isSuccessStatus,
  parseReplyJson,
  rejectedResult,
  type AttemptResult,
  type DeliveryHttpReply,
} from '../../outbox/index.ts'
import { scrobblingErrors } from '../errors.ts'
import { progressPercent, type ScrobbledIds, type ReportedPlay, type ScrobbledItem } from '../reported-play.ts'
import type { SendServiceRequest, ScrobbleService, ServerKeys } from '../service.ts'

const SERVICE = 'Trakt'

const DeviceCode = z.object({
  device_code: z.string().min(1),
  user_code: z.string().min(1),
  verification_url: z.string().regex(/^https?:\/\//),
  expires_in: z.number().positive(),
  interval: z.number().positive(),
})
const Tokens = z.object({ access_token: z.string().min(1), refresh_token: z.string().min(1) })
const Settings = z.object({ user: z.object({ username: z.string().min(1) }) })
/** Unknown items of the history are no error of the call. */
const Added = z.object({ added: z.object({ movies: z.number(), episodes: z.number() }) })
const Problem = z.object({ error_description: z.string().optional(), error: z.string().optional() })

/** Statuses of a device token (https://trakt.docs.apiary.io, Devices): the user has not decided, and the client polls too often. */
const WAITING = 400
const TOO_OFTEN = 429
/** The statuses of a code that is no longer valid. */
const REFUSALS: ReadonlyMap<number, string> = new Map([
  [404, `${SERVICE} does not know this code. Begin again.`],
  [409, 'This code was used before. Begin again.'],
  [410, 'The time for this code is over. Begin again.'],
  [418, `You have refused the access at ${SERVICE}.`],
])
const CONFLICT = 409

const HISTORY = '/sync/history'
/** From this progress on Trakt counts a scrobble as watched. */
const WATCHED_PERCENT = 80

const Credentials = z.strictObject({ accessToken: z.string(), refreshToken: z.string() })
type Credentials = z.infer<typeof Credentials>

/** Trakt: users enter a code on a page; access tokens expire and are renewed (https://trakt.docs.apiary.io, Devices, Scrobble and Sync). */
export const trakt: ScrobbleService<Credentials> = {
  title: SERVICE,
  keys: ['client_id', 'client_secret'],
  credentials: Credentials,
  accepts: ({ item }) => item.type !== 'track',
  async authorize(send, keys) {
    const reply = await post(send, '/oauth/device/code', { client_id: keys['client_id'] })
    const code = parseReplyJson(reply, DeviceCode)
    if (!isSuccessStatus(reply) || code === undefined) throw failedError(reply)
    return {
      url: code.verification_url,
      userCode: code.user_code,
      code: code.device_code,
      intervalSeconds: code.interval,
      expiresInSeconds: code.expires_in,
    }
  },
  async connect(send, { code, keys }) {
    const reply = await post(send, '/oauth/device/token', { code, ...oauthKeys(keys) })
    if (reply.status === WAITING || reply.status === TOO_OFTEN) {
      throw scrobblingErrors.scrobbler_not_approved({ details: { slow_down: reply.status === TOO_OFTEN } })
    }
    const refusal = REFUSALS.get(reply.status)
    if (refusal !== undefined) throw scrobblingErrors.scrobbler_refused({ message: refusal })
    const credentials = credentialsOf(reply)
    if (credentials === undefined) throw failedError(reply)
    const headers = headersOf(keys, credentials.accessToken)
    const settings = await send({ method: 'GET', path: '/users/settings', headers })
    const username = parseReplyJson(settings, Settings)?.user.username
    if (username === undefined) throw failedError(settings)
    return { username, credentials }
  },
  async report(send, { play, isLate, credentials, keys }) {
    const headers = headersOf(keys, credentials.accessToken)
    const isDated = isLate && progressPercent(play) >= WATCHED_PERCENT
    const request = isDated ? historyOf(play) : scrobbleOf(play)
    const reply = await send({ method: 'POST', headers, ...request })
    return { ...read(reply), isUnauthorized: reply.status === 401 }
  },
  /** A refused refresh token is final: the user has to connect again. */
  async renew(send, { credentials, keys }) {
    const reply = await post(send, '/oauth/token', {
      refresh_token: credentials.refreshToken,
      ...oauthKeys(keys),
      redirect_uri: 'urn:ietf:wg:oauth:2.0:oob',
      grant_type: 'refresh_token',
    })
    const renewed = credentialsOf(reply)
    return renewed === undefined
      ? { failure: rejectedResult(reply, { service: SERVICE, reason: reasonOf(reply) }) }
      : { credentials: renewed }
  },
  revoke: (send, { credentials, keys }) =>
    post(send, '/oauth/revoke', { token: credentials.accessToken, ...oauthKeys(keys) }),
}

/** A scrobble has the time of its arrival. */
function scrobbleOf(play: ReportedPlay): { path: string; body: string } {
  const path = play.end === null ? '/scrobble/start' : '/scrobble/stop'
  return { path, body: JSON.stringify({ ...workOf(play.item), progress: progressPercent(play) }) }
}

/** A play of the past: an entry of the history with its time. */
function historyOf({ item, occurredAt }: ReportedPlay): { path: string; body: string } {
  const watched = { watched_at: occurredAt.toISOString() }
  const work = workOf(item)
  if ('movie' in work) return { path: HISTORY, body: JSON.stringify({ movies: [{ ...work.movie, ...watched }] }) }
  const { season, number } = work.episode
  const seasons = [{ number: season, episodes: [{ number, ...watched }] }]
  return { path: HISTORY, body: JSON.stringify({ shows: [{ ...work.show, seasons }] }) }
}

function credentialsOf(reply: DeliveryHttpReply): Credentials | undefined {
  const tokens = isSuccessStatus(reply) ? parseReplyJson(reply, Tokens) : undefined
  return tokens && { accessToken: tokens.access_token, refreshToken: tokens.refresh_token }
}

type TraktWork = { title: string; year?: number; ids: Record<string, string | number> }

function workOf(
  item: ScrobbledItem,
): { movie: TraktWork } | { show: TraktWork; episode: { season: number; number: number } } {
  if (item.type === 'movie') return { movie: { title: item.title, ...yearOf(item.year), ids: idsOf(item.ids) } }
  if (item.type === 'track') throw new TypeError(`${SERVICE} takes no tracks`)
  const { series, seasonNumber, episodeNumber } = item
  const show = { title: series.title, ...yearOf(series.year), ids: idsOf(series.ids) }
  return { show, episode: { season: seasonNumber, number: episodeNumber } }
}

function yearOf(year: number | null): { year?: number } {
  return year === null ? {} : { year }
}

/** Numbers are numbers there, except for those of IMDb. */
function idsOf(ids: ScrobbledIds): Record<string, string | number> {
  const { imdb } = ids
  const numbers = ['tmdb', 'tvdb'].flatMap((name) => {
    const id = Number(ids[name])
    return Number.isSafeInteger(id) && id > 0 ? [[name, id] as const] : []
  })
  return { ...Object.fromEntries(numbers), ...(imdb === undefined ? {} : { imdb }) }
}

function oauthKeys(keys: ServerKeys): Record<string, string | undefined> {
  return { client_id: keys['client_id'], client_secret: keys['client_secret'] }
}

function headersOf(keys: ServerKeys, accessToken: string): Record<string, string> {
  return {
    'content-type': 'application/json',
    'trakt-api-version': '2',
    'trakt-api-key': keys['client_id'] ?? '',
    authorization: `Bearer ${accessToken}`,
  }
}

function post(send: SendServiceRequest, path: string, body: object): Promise<DeliveryHttpReply> {
  const headers = { 'content-type': 'application/json' }
  return send({ method: 'POST', path, headers, body: JSON.stringify(body) })
}

/** The same play within a short time is a conflict: Trakt has it already. */
function read(reply: DeliveryHttpReply): AttemptResult {
  const added = isSuccessStatus(reply) ? parseReplyJson(reply, Added)?.added : undefined
  if (added?.movies === 0 && added.episodes === 0) {
    return { ...deliveredResult(reply), isDelivered: false, isFinal: true, error: `${SERVICE} does not know the item` }
  }
  if (isSuccessStatus(reply) || reply.status === CONFLICT) return deliveredResult(reply)
  return rejectedResult(reply, { service: SERVICE, reason: reasonOf(reply) })
}

function reasonOf(reply: DeliveryHttpReply): string | undefined {
  const problem = parseReplyJson(reply, Problem)
  return problem?.error_description ?? problem?.error
}

function failedError(reply: DeliveryHttpReply) {
  return scrobblingErrors.scrobbling_service_failed({
    message: rejectedResult(reply, { service: SERVICE, reason: reasonOf(reply) }).error ?? SERVICE,
  })
}
