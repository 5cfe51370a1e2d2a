import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'
import { plain } from './generated-pictures.ts'

export type FakeArtist = {
  id: string
  name: string
  type?: string
  country?: string
  begin?: string
  genres?: string[]
}

/** A release group with its releases. */
export type FakeAlbum = {
  id: string
  title: string
  artists: FakeArtist[]
  date?: string
  type?: string
  secondaryTypes?: string[]
  genres?: string[]
  releases?: { id: string; date?: string; hasFront?: boolean }[]
  /** Whether the archive has a front cover for one of the releases. */
  hasCover?: boolean
}

export type FakeMusicBrainz = {
  /** URL of the MusicBrainz API. */
  baseUrl: string
  /** URL of the Cover Art Archive. */
  coversUrl: string
  albums: FakeAlbum[]
  /** `/path?query` of every request to both, in order, and of the host that serves the pictures. */
  requests: string[]
  /** The user agents that MusicBrainz received. */
  agents: Set<string>
  /** Returns a replacement for the response to MusicBrainz requests; undefined means the normal response. */
  overrideResponse: ((request: { path: string; count: number }) => BusyResponse | undefined) | undefined
}

/** Simulates the rate limit with `Retry-After`, or an overloaded server without it. */
export type BusyResponse = { status: number; retryAfter?: string; text?: string }

/**
 * A server that behaves like MusicBrainz (version 2, JSON) and the Cover Art Archive: it requires a user agent, answers 503 with
 * `Retry-After` above the rate limit, supports Lucene phrase searches, answers 404 for unknown ids, and serves covers by redirects: 307
 * from the Cover Art Archive to the archive that stores them, 302 from there to one of its hosts.
 */
export async function startFakeMusicBrainz(t: Test, albums: FakeAlbum[] = []): Promise<FakeMusicBrainz> {
  const fake: FakeMusicBrainz = {
    baseUrl: '',
    coversUrl: '',
    albums,
    requests: [],
    agents: new Set(),
    overrideResponse: undefined,
  }
  const server = createServer((request, response) => void answer(fake, request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  Object.assign(fake, { baseUrl: `${origin}/ws/2`, coversUrl: `${origin}/caa` })
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return fake
}

async function answer(fake: FakeMusicBrainz, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '', 'http://localhost')
  fake.requests.push(`${url.pathname}${url.search}`)
  if (url.pathname.startsWith('/caa/')) return answerCovers(fake, url, response)
  if (url.pathname.startsWith('/download/') || url.pathname.startsWith('/machine/'))
    return answerArchive(fake, url, response)
  const agent = request.headers['user-agent'] ?? ''
  fake.agents.add(agent)
  const path = url.pathname.replace(/^\/ws\/2/, '')
  const busy = fake.overrideResponse?.({ path, count: fake.requests.length })
  if (busy !== undefined) return sendBusy(response, busy)
  if (!/^[\w-]+\/[\d.]+/.test(agent))
    return sendJson(response, 403, { error: 'Your requests have no meaningful user-agent.' })
  if (url.searchParams.get('fmt') !== 'json')
    return void response.writeHead(200, { 'content-type': 'application/xml' }).end('<metadata/>')
  const body = route(fake, path, url.searchParams)
  if (body === undefined)
    return sendJson(response, 404, { error: 'Not Found', help: 'For usage, please see the documentation.' })
  sendJson(response, 200, body)
}

function sendBusy(response: ServerResponse, { status, retryAfter, text }: BusyResponse): void {
  const headers = retryAfter === undefined ? {} : { 'retry-after': retryAfter }
  const error = { error: 'Your requests are exceeding the allowable rate limit. Please see the documentation.' }
  response.writeHead(status, { 'content-type': 'application/json', 'x-ratelimit-limit': '1200', ...headers })
  response.end(text ?? JSON.stringify(error))
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body))
}

function route({ albums }: FakeMusicBrainz, path: string, query: URLSearchParams): unknown {
  const [, what, id] = path.split('/')
  if (what === 'release-group' && id === undefined) return search(albums, query.get('query') ?? '')
  const inc = (query.get('inc') ?? '').split(/[+ ]/)
  if (what === 'release-group')
    return groupOf(
      albums.find((album) => album.id === id),
      inc,
    )
  if (what === 'artist')
    return artistDetail(albums.flatMap(({ artists }) => artists).find((artist) => artist.id === id))
  if (what !== 'release') return undefined
  for (const album of albums) {
    const release = album.releases?.find((one) => one.id === id)
    if (release === undefined) continue
    return {
      id: release.id,
      title: album.title,
      status: 'Official',
      date: release.date ?? album.date ?? '',
      country: 'GB',
      barcode: null,
      'artist-credit': creditOf(album),
      genres: [],
      'release-group': groupOf(album, inc),
      'cover-art-archive': {
        artwork: release.hasFront === true,
        count: 1,
        front: release.hasFront === true,
        back: false,
        darkened: false,
      },
    }
  }
  return undefined
}

/** Evaluates phrases with their fields, all of which must match. */
function search(albums: readonly FakeAlbum[], text: string): unknown {
  const phrases = [...text.matchAll(/(\w+):"((?:[^"\\]|\\.)*)"/g)].map(([, field = '', phrase = '']) => ({
    field,
    words: folded(phrase.replaceAll(/\\(.)/g, '$1')),
  }))
  const found = albums.filter((album) =>
    phrases.every(({ field, words }) =>
      (field === 'artist' ? album.artists.map(({ name }) => name) : [album.title]).some((name) =>
        folded(name).includes(words),
      ),
    ),
  )
  return {
    created: '2026-01-01T00:00:00.000Z',
    count: found.length,
    offset: 0,
    'release-groups': found.map((album) => groupOf(album, ['artist-credits', 'score'])),
  }
}

function folded(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

function groupOf(album: FakeAlbum | undefined, inc: readonly string[]) {
  if (album === undefined) return undefined
  const { id, title, type = 'Album', secondaryTypes = [], date = '', genres = [] } = album
  return {
    id,
    title,
    'primary-type': type,
    'secondary-types': secondaryTypes,
    'first-release-date': date,
    disambiguation: '',
    ...(inc.includes('score') && { score: 100 }),
    ...(inc.includes('artist-credits') && { 'artist-credit': creditOf(album) }),
    ...(inc.includes('genres') && { genres: genresOf(genres) }),
  }
}

function creditOf({ artists }: FakeAlbum) {
  return artists.map(({ id, name }, index) => ({
    name,
    joinphrase: index < artists.length - 1 ? ' & ' : '',
    artist: { id, name, 'sort-name': name, disambiguation: '' },
  }))
}

function artistDetail(artist: FakeArtist | undefined) {
  if (artist === undefined) return undefined
  const { id, name, type = 'Group', country = null, begin = null, genres = [] } = artist
  return {
    id,
    name,
    'sort-name': name,
    type,
    country,
    'life-span': { begin, end: null, ended: false },
    genres: genresOf(genres),
  }
}

/** The first genre has the most votes. */
function genresOf(names: readonly string[]) {
  return names.map((name, index) => ({ id: `genre-${name}`, name, count: names.length - index, disambiguation: '' }))
}

function answerCovers({ albums }: FakeMusicBrainz, url: URL, response: ServerResponse): void {
  const [, , what, id, picture] = url.pathname.split('/')
  const isThere = albums.some((album) =>
    what === 'release-group'
      ? album.id === id && album.hasCover === true
      : album.releases?.some((one) => one.id === id && one.hasFront),
  )
  if (!isThere) {
    response
      .writeHead(404, { 'content-type': 'text/html' })
      .end(`<!doctype html><title>404 Not Found</title><p>No cover art found for ${what} ${id}</p>`)
    return
  }
  const where =
    picture === undefined ? `/download/mbid-${id}/index.json` : `/download/mbid-${id}/mbid-${id}-1_thumb1200.jpg`
  response.writeHead(307, { location: where }).end(`See: ${where}\n`)
}

async function answerArchive(_fake: FakeMusicBrainz, url: URL, response: ServerResponse): Promise<void> {
  if (url.pathname.startsWith('/download/')) {
    return void response.writeHead(302, { location: url.pathname.replace('/download/', '/machine/') }).end()
  }
  if (url.pathname.endsWith('.json')) {
    return sendJson(response, 200, {
      images: [
        { id: 2, types: ['Back'], front: false, back: true, approved: true },
        {
          id: 1,
          types: ['Front'],
          front: true,
          back: false,
          approved: true,
          image: 'http://coverartarchive.org/release/x/1.jpg',
        },
      ],
      release: 'https://musicbrainz.org/release/x',
    })
  }
  response.writeHead(200, { 'content-type': 'image/jpeg' }).end(await plain(1200, 1200, 'red').jpeg().toBuffer())
}
