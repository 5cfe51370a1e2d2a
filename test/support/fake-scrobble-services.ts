import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * Last.fm, ListenBrainz and Trakt on one address, below `/lastfm`, `/listenbrainz` and `/trakt`. Each checks signatures, keys, tokens and
 * fields, and reports errors as documented.
 */
export type FakeScrobbleServices = {
  url: string
  /** Accepted reports, in order. */
  reports: { service: string; kind: string; body: Json }[]
  /** All calls: `lastfm track.scrobble 200`. */
  calls: string[]
  behaviour: 'well' | 'limiting' | 'failing'
  /** Whether the user has approved, denied or not yet answered. */
  approval: 'waiting' | 'given' | 'denied'
  /** The status of all questions whether a code of Trakt is approved; undefined: that of `approval`. */
  deviceTokenStatus: number | undefined
  /** Whether replies to reports of plays at Trakt are lost: the connection ends without one, and the report has no effect. */
  losesReports: boolean
  /** Access tokens of Trakt that are valid; a renewal adds the next one. */
  traktTokens: Set<string>
}

type Json = Record<string, unknown>
type Call = { path: string; method: string; headers: IncomingHttpHeaders; text: string; fake: FakeScrobbleServices }
type Answer = { status: number; body?: unknown; headers?: Record<string, string>; kind: string; report?: Json }
type Test = { teardown(action: () => Promise<void>): void }

export const LASTFM = {
  apiKey: 'b25b959554ed76058ac220b7b2e0a026',
  secret: 'mysecret',
  token: 'xxxtoken',
  sessionKey: 'd580d57f32848f5dcf574d1ce18d78b2',
}
export const LISTENBRAINZ_TOKEN = '0b6e1a5e-3f0a-4c62-9d0f-1f6a3f1f0c11'
export const TRAKT = { clientId: 'trakt-client', clientSecret: 'trakt-secret', deviceCode: 'trakt-device-code' }

function lastfm({ text, method, fake }: Call): Answer {
  const sent = Object.fromEntries(new URLSearchParams(text))
  const kind = sent['method'] ?? ''
  if (method !== 'POST') return lastfmError(kind, 400, 3, 'Invalid Method - No method with that name in this package')
  if (fake.behaviour === 'limiting') return lastfmError(kind, 429, 29, 'Rate limit exceeded')
  if (sent['api_key'] !== LASTFM.apiKey) return lastfmError(kind, 403, 10, 'Invalid API key')
  if (sent['api_sig'] !== lastfmSignature(sent)) return lastfmError(kind, 403, 13, 'Invalid method signature supplied')
  if (kind === 'auth.getToken') return { status: 200, body: { token: LASTFM.token }, kind }
  return kind === 'auth.getSession' ? lastfmSession(sent, fake) : lastfmReport(sent, kind)
}

function lastfmError(kind: string, status: number, error: number, message: string): Answer {
  return { status, body: { error, message }, kind }
}

function lastfmSignature(sent: Record<string, string>): string {
  const signed = Object.entries(sent).filter(([name]) => name !== 'api_sig' && name !== 'format')
  const parts = signed.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, value]) => name + value)
  return createHash('md5')
    .update(parts.join('') + LASTFM.secret)
    .digest('hex')
}

function lastfmSession(sent: Record<string, string>, fake: FakeScrobbleServices): Answer {
  const kind = 'auth.getSession'
  if (sent['token'] !== LASTFM.token || fake.approval === 'denied') {
    return lastfmError(kind, 403, 4, 'Unauthorized Token - This token has not been issued')
  }
  if (fake.approval === 'waiting') return lastfmError(kind, 403, 14, 'This token has not been authorized')
  return { status: 200, body: { session: { name: 'ada_fm', key: LASTFM.sessionKey, subscriber: 0 } }, kind }
}

function lastfmReport(sent: Record<string, string>, kind: string): Answer {
  if (sent['sk'] !== LASTFM.sessionKey) {
    return lastfmError(kind, 403, 9, 'Invalid session key - Please re-authenticate')
  }
  if (!sent['artist'] || !sent['track']) return lastfmError(kind, 400, 6, 'Invalid parameters')
  if (kind === 'track.updateNowPlaying') return { status: 200, body: { nowplaying: {} }, kind, report: sent }
  if (kind !== 'track.scrobble' || !/^\d{10}$/.test(sent['timestamp'] ?? '')) {
    return lastfmError(kind, 400, 6, 'Invalid parameters')
  }
  return { status: 200, body: { scrobbles: { '@attr': { accepted: 1, ignored: 0 } } }, kind, report: sent }
}

function listenbrainz({ path, method, headers, text, fake }: Call): Answer {
  const kind = path
  if (fake.behaviour === 'limiting') {
    return {
      status: 429,
      body: { code: 429, error: 'You have exceeded your rate limit.' },
      headers: { 'x-ratelimit-reset-in': '7' },
      kind,
    }
  }
  const isKnown = headers.authorization === `Token ${LISTENBRAINZ_TOKEN}`
  if (method === 'GET' && path === '/1/validate-token') {
    if (!isKnown) return { status: 200, body: { code: 200, message: 'Token invalid.', valid: false }, kind }
    return { status: 200, body: { code: 200, message: 'Token valid.', valid: true, user_name: 'ada_brainz' }, kind }
  }
  if (method !== 'POST' || path !== '/1/submit-listens')
    return { status: 404, body: { code: 404, error: 'Not found' }, kind }
  if (!isKnown) return { status: 401, body: { code: 401, error: 'Invalid authorization token.' }, kind }
  const body = JSON.parse(text) as { listen_type: string; payload: { listened_at?: number; track_metadata: Json }[] }
  const [listen] = body.payload
  const isTimed = listen?.listened_at !== undefined
  if (typeof listen?.track_metadata['artist_name'] !== 'string' || isTimed !== (body.listen_type === 'single')) {
    return { status: 400, body: { code: 400, error: 'JSON document is not valid' }, kind }
  }
  return { status: 200, body: { status: 'ok' }, kind: body.listen_type, report: body }
}

function trakt(call: Call): Answer {
  const { path, text, fake } = call
  if (fake.behaviour === 'limiting') return { status: 429, headers: { 'retry-after': '10' }, kind: path }
  const sent = (text === '' ? {} : JSON.parse(text)) as Json
  if (path === '/oauth/device/code') return traktDeviceCode(sent)
  return path.startsWith('/oauth/') ? traktTokens(call, sent) : traktResource(call, sent)
}

function traktDeviceCode(sent: Json): Answer {
  const kind = '/oauth/device/code'
  if (sent['client_id'] !== TRAKT.clientId) return { status: 403, kind }
  const page = { verification_url: 'https://trakt.tv/activate', expires_in: 600, interval: 0.01 }
  return { status: 200, body: { device_code: TRAKT.deviceCode, user_code: '5055CC52', ...page }, kind }
}

function traktTokens({ path: kind, fake }: Call, sent: Json): Answer {
  if (sent['client_secret'] !== TRAKT.clientSecret) return { status: 401, body: { error: 'invalid_client' }, kind }
  if (kind === '/oauth/device/token') return traktDeviceToken(sent, fake)
  if (kind === '/oauth/revoke') {
    fake.traktTokens.delete(String(sent['token']))
    return { status: 200, body: {}, kind }
  }
  const number = Number(/^refresh-(\d+)$/.exec(String(sent['refresh_token']))?.[1])
  // A refresh token is valid once.
  if (!(number > 0) || fake.traktTokens.has(`access-${number + 1}`)) {
    const description = 'The provided authorization grant is invalid.'
    return { status: 401, body: { error: 'invalid_grant', error_description: description }, kind }
  }
  fake.traktTokens = new Set([`access-${number + 1}`])
  const tokens = { access_token: `access-${number + 1}`, refresh_token: `refresh-${number + 1}` }
  return { status: 200, body: tokens, kind }
}

function traktDeviceToken(sent: Json, fake: FakeScrobbleServices): Answer {
  const kind = '/oauth/device/token'
  if (fake.deviceTokenStatus !== undefined) return { status: fake.deviceTokenStatus, kind }
  if (sent['code'] !== TRAKT.deviceCode) return { status: 404, kind }
  if (fake.approval !== 'given') return { status: fake.approval === 'waiting' ? 400 : 418, kind }
  fake.traktTokens.add('access-1')
  return { status: 200, body: { access_token: 'access-1', refresh_token: 'refresh-1', expires_in: 86_400 }, kind }
}

function traktResource({ path: kind, headers, text, fake }: Call, sent: Json): Answer {
  if (headers['trakt-api-key'] !== TRAKT.clientId || headers['trakt-api-version'] !== '2') return { status: 403, kind }
  if (!fake.traktTokens.has(headers.authorization?.replace('Bearer ', '') ?? '')) return { status: 401, kind }
  if (kind === '/users/settings') return { status: 200, body: { user: { username: 'ada_trakt' } }, kind }
  if (kind === '/sync/history') return traktHistory(kind, sent)
  return kind === '/scrobble/start' || kind === '/scrobble/stop'
    ? traktReport({ kind, text, fake }, sent)
    : { status: 404, kind }
}

function traktReport(
  { kind, text, fake }: { kind: string; text: string; fake: FakeScrobbleServices },
  sent: Json,
): Answer {
  const progress = sent['progress']
  if (typeof progress !== 'number' || progress < 0 || progress > 100) return { status: 422, kind }
  const last = fake.reports.at(-1)
  const isRepeated = progress >= 80 && last?.kind === kind && JSON.stringify(last.body) === text
  if (isRepeated) return { status: 409, body: { watched_at: '2026-01-01T00:00:00.000Z' }, kind }
  return { status: 201, body: { action: 'start', progress }, kind, report: sent }
}

const ISO_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?Z$/

/** Films are listed by themselves, episodes below their season and show. An unknown item is no error. */
function traktHistory(kind: string, sent: Json): Answer {
  type Entry = { watched_at?: unknown; title?: unknown }
  const shows = (sent['shows'] ?? []) as { seasons: { number: number; episodes: (Entry & { number: number })[] }[] }[]
  const movies = (sent['movies'] ?? []) as Entry[]
  const episodes = shows.flatMap(({ seasons }) => seasons.flatMap((season) => season.episodes))
  const isDated = [...movies, ...episodes].every(({ watched_at: time }) => ISO_TIME.test(String(time)))
  if (!isDated || movies.length + episodes.length === 0) return { status: 422, kind }
  const unknown = movies.filter(({ title }) => title === 'Unknown')
  const added = { movies: movies.length - unknown.length, episodes: episodes.length }
  const answer = { status: 201, body: { added, not_found: { movies: unknown } }, kind }
  return unknown.length === 0 ? { ...answer, report: sent } : answer
}

const SERVICES: Record<string, (call: Call) => Answer> = { lastfm, listenbrainz, trakt }

export async function startFakeScrobbleServices(t: Test): Promise<FakeScrobbleServices> {
  const fake: FakeScrobbleServices = {
    url: '',
    reports: [],
    calls: [],
    behaviour: 'well',
    approval: 'given',
    deviceTokenStatus: undefined,
    losesReports: false,
    traktTokens: new Set(),
  }
  const hear = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let text = ''
    for await (const chunk of request.setEncoding('utf8')) text += String(chunk)
    const [, service = '', path = ''] = /^\/(\w+)(\/.*)$/.exec(request.url ?? '') ?? []
    const call = { path, method: request.method ?? '', headers: request.headers, text, fake }
    const {
      status,
      body,
      headers = {},
      kind,
      report,
    } = fake.behaviour === 'failing'
      ? { status: 502, body: '<html>Bad gateway</html>', kind: path }
      : (SERVICES[service]?.(call) ?? { status: 404, kind: path })
    if (fake.losesReports && report !== undefined) return void response.destroy()
    fake.calls.push(`${service} ${kind} ${status}`)
    if (report !== undefined) fake.reports.push({ service, kind, body: report })
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(body === undefined ? undefined : JSON.stringify(body))
  }
  const server = createServer((request, response) => void hear(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  fake.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  t.teardown(async () => {
    server.closeAllConnections()
    server.close()
  })
  return fake
}

/** The options with which a server uses the fake. */
export function scrobblingFlags({ url }: FakeScrobbleServices) {
  return {
    'scrobbling.lastfm.api_key': LASTFM.apiKey,
    'scrobbling.lastfm.secret': LASTFM.secret,
    'scrobbling.lastfm.base_url': `${url}/lastfm/`,
    'scrobbling.listenbrainz.base_url': `${url}/listenbrainz`,
    'scrobbling.trakt.client_id': TRAKT.clientId,
    'scrobbling.trakt.client_secret': TRAKT.clientSecret,
    'scrobbling.trakt.base_url': `${url}/trakt`,
  }
}
