import { createHash } from 'node:crypto'
import { z } from 'zod'
import {
  deliveredResult,
  isSuccessStatus,
  parseReplyJson,
  rejectedResult,
  type DeliveryHttpReply,
} from '../../outbox/index.ts'
import { scrobblingErrors } from '../errors.ts'
import { countsAsListen, type ReportedPlay, type ScrobbledTrack } from '../reported-play.ts'
import type { SendServiceRequest, ScrobbleService, ServerKeys } from '../service.ts'

const SERVICE = 'Last.fm'
const APPROVAL_PAGE = 'https://www.last.fm/api/auth/'
/** Tokens are valid for an hour (Last.fm, Desktop application how-to). */
const TOKEN_SECONDS = 3600
const POLL_SECONDS = 5

const Problem = z.object({ error: z.number(), message: z.string().catch('') })
const TokenReply = z.object({ token: z.string().min(1) })
const SessionReply = z.object({ session: z.object({ name: z.string().min(1), key: z.string().min(1) }) })

/** Error code of the API: the user has not approved the token yet. */
const NOT_APPROVED = 14
/** Error codes of the API: the token is invalid, expired or used. */
const TOKEN_PROBLEMS: ReadonlySet<number> = new Set([4, 15])
/** Error codes of the API: temporary failures. */
const TEMPORARY: ReadonlySet<number> = new Set([8, 11, 16, 29])

const Credentials = z.strictObject({ sessionKey: z.string() })

/** Last.fm: users approve this server on a page; a session key does not expire (https://www.last.fm/api). */
export const lastfm: ScrobbleService<z.infer<typeof Credentials>> = {
  title: SERVICE,
  keys: ['api_key', 'secret'],
  credentials: Credentials,
  accepts: ({ item, end }) => item.type === 'track' && (end === null || countsAsListen(item, end)),
  async authorize(send, keys) {
    const reply = await call(send, { method: 'auth.getToken' }, keys)
    const token = parseReplyJson(reply, TokenReply)?.token
    if (token === undefined) throw failedError(reply)
    const query = new URLSearchParams({ api_key: keys['api_key'] ?? '', token })
    const url = `${APPROVAL_PAGE}?${query.toString()}`
    return { url, userCode: null, code: token, intervalSeconds: POLL_SECONDS, expiresInSeconds: TOKEN_SECONDS }
  },
  async connect(send, { code, keys }) {
    const reply = await call(send, { method: 'auth.getSession', token: code }, keys)
    const session = parseReplyJson(reply, SessionReply)?.session
    if (session !== undefined) return { username: session.name, credentials: { sessionKey: session.key } }
    const problem = parseReplyJson(reply, Problem)?.error
    if (problem === NOT_APPROVED) throw scrobblingErrors.scrobbler_not_approved()
    if (problem !== undefined && TOKEN_PROBLEMS.has(problem)) throw scrobblingErrors.scrobbler_refused()
    throw failedError(reply)
  },
  async report(send, { play, credentials, keys }) {
    return read(await call(send, { ...parametersOf(play), sk: credentials.sessionKey }, keys))
  },
}

function parametersOf({ item, end, occurredAt }: ReportedPlay): Record<string, string> {
  if (item.type !== 'track') throw new TypeError(`${SERVICE} takes tracks only`)
  if (end === null) return { method: 'track.updateNowPlaying', ...trackParameters(item) }
  const startedSeconds = Math.floor(occurredAt.getTime() / 1000) - end.playedSeconds
  return { method: 'track.scrobble', ...trackParameters(item), timestamp: String(startedSeconds) }
}

function trackParameters({
  name,
  artist,
  album,
  trackNumber,
  durationSeconds,
}: ScrobbledTrack): Record<string, string> {
  return {
    artist,
    track: name,
    ...(album === null ? {} : { album }),
    ...(trackNumber === null ? {} : { trackNumber: String(trackNumber) }),
    ...(durationSeconds === null ? {} : { duration: String(Math.round(durationSeconds)) }),
  }
}

function call(
  send: SendServiceRequest,
  parameters: Record<string, string>,
  keys: ServerKeys,
): Promise<DeliveryHttpReply> {
  const signed = { ...parameters, api_key: keys['api_key'] ?? '' }
  const body = new URLSearchParams({ ...signed, api_sig: signCall(signed, keys['secret'] ?? ''), format: 'json' })
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  return send({ method: 'POST', path: '/', headers, body: String(body) })
}

/**
 * The signature of a call: MD5 of the names and values in the order of the names, and the secret
 * (https://www.last.fm/api/authspec, 8). Exported for tests.
 */
export function signCall(parameters: Readonly<Record<string, string>>, secret: string): string {
  const names = Object.keys(parameters).toSorted()
  const text = names.map((name) => name + parameters[name]).join('')
  return createHash('md5')
    .update(text + secret, 'utf8')
    .digest('hex')
}

/** The error code in the body is more precise than the HTTP status. */
function read(reply: DeliveryHttpReply) {
  const problem = parseReplyJson(reply, Problem)
  if (problem === undefined)
    return isSuccessStatus(reply) ? deliveredResult(reply) : rejectedResult(reply, { service: SERVICE })
  const { isFinal: _, ...result } = rejectedResult(reply, { service: SERVICE, reason: problem.message })
  return TEMPORARY.has(problem.error) ? result : { ...result, isFinal: true }
}

function failedError(reply: DeliveryHttpReply) {
  const reason = parseReplyJson(reply, Problem)?.message
  return scrobblingErrors.scrobbling_service_failed({
    message: rejectedResult(reply, { service: SERVICE, reason }).error ?? SERVICE,
  })
}
