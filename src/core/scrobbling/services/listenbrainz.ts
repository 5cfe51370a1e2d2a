import { z } from 'zod'
import {
  deliveredResult,
  isSuccessStatus,
  parseReplyJson,
  rejectedResult,
  type DeliveryHttpReply,
} from '../../outbox/index.ts'
import { scrobblingErrors } from '../errors.ts'
import { countsAsListen, type ReportedPlay } from '../reported-play.ts'
import type { ScrobbleService } from '../service.ts'

const SERVICE = 'ListenBrainz'
/** A user token is a UUID at ListenBrainz; compatible servers have other forms. */
const TOKEN = /^[\x21-\x7E]{1,200}$/

const Validation = z.object({ valid: z.boolean(), user_name: z.string().min(1).optional() })
const Problem = z.object({ error: z.string() })
const Credentials = z.strictObject({ token: z.string() })

/** ListenBrainz: users copy a token from their settings (https://listenbrainz.readthedocs.io, Core). */
export const listenbrainz: ScrobbleService<z.infer<typeof Credentials>> = {
  title: SERVICE,
  keys: [],
  credentials: Credentials,
  accepts: ({ item, end }) => item.type === 'track' && (end === null || countsAsListen(item, end)),
  async connect(send, { code: token }) {
    if (!TOKEN.test(token)) throw scrobblingErrors.scrobbler_refused()
    const reply = await send({ method: 'GET', path: '/1/validate-token', headers: authorization(token) })
    const validation = parseReplyJson(reply, Validation)
    if (reply.status === 401 || validation?.valid === false) throw scrobblingErrors.scrobbler_refused()
    if (!isSuccessStatus(reply) || validation?.user_name === undefined) {
      throw scrobblingErrors.scrobbling_service_failed({
        message:
          rejectedResult(reply, { service: SERVICE, reason: parseReplyJson(reply, Problem)?.error }).error ?? SERVICE,
      })
    }
    return { username: validation.user_name, credentials: { token } }
  },
  async report(send, { play, credentials }) {
    const headers = { 'content-type': 'application/json', ...authorization(credentials.token) }
    const body = JSON.stringify(listenOf(play))
    return read(await send({ method: 'POST', path: '/1/submit-listens', headers, body }))
  },
}

function authorization(token: string): Record<string, string> {
  return { authorization: `Token ${token}` }
}

function listenOf({ item, end, occurredAt }: ReportedPlay): object {
  if (item.type !== 'track') throw new TypeError(`${SERVICE} takes tracks only`)
  const { artist, name, album, trackNumber, durationSeconds } = item
  const metadata = {
    artist_name: artist,
    track_name: name,
    ...(album === null ? {} : { release_name: album }),
    additional_info: {
      media_player: 'Phlix',
      submission_client: 'Phlix',
      ...(trackNumber === null ? {} : { tracknumber: trackNumber }),
      ...(durationSeconds === null ? {} : { duration: Math.round(durationSeconds) }),
    },
  }
  if (end === null) return { listen_type: 'playing_now', payload: [{ track_metadata: metadata }] }
  const listenedAt = Math.floor(occurredAt.getTime() / 1000) - end.playedSeconds
  return { listen_type: 'single', payload: [{ listened_at: listenedAt, track_metadata: metadata }] }
}

function read(reply: DeliveryHttpReply) {
  if (isSuccessStatus(reply)) return deliveredResult(reply)
  const reason = parseReplyJson(reply, Problem)?.error
  const seconds = Number(reply.headers['x-ratelimit-reset-in'])
  const wait = reply.status === 429 && seconds >= 0 ? { retryAfterSeconds: seconds } : {}
  return rejectedResult(reply, { service: SERVICE, reason, ...wait })
}
