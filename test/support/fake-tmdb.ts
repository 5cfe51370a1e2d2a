import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'

export type FakeEpisode = { number: number; name: string; airDate?: string; overview?: string }

export type FakeTitle = {
  id: number
  kind: 'movie' | 'tv'
  title: string
  originalTitle?: string
  /** `YYYY-MM-DD`. */
  date?: string
  popularity?: number
  imdb?: string
  tvdb?: number
  alternatives?: string[]
  collection?: { id: number; name: string }
  /** Seasons by number. */
  seasons?: Record<number, FakeEpisode[]>
  /** Merged into the response. */
  more?: Record<string, unknown>
}

export type FakeTmdb = {
  baseUrl: string
  /** `METHOD /path` of every request, in order; the query without the key. */
  requests: string[]
  titles: FakeTitle[]
  /** Returns a replacement for the response while it is set; undefined means the normal response. */
  overrideResponse: ((request: { path: string; count: number }) => FakeFault | undefined) | undefined
}

/** `hang`: no response; `drop`: the connection is closed. */
export type FakeFault = { status: number; retryAfter?: string; body?: unknown; text?: string } | 'hang' | 'drop'

export const TMDB_KEY = '0123456789abcdef0123456789abcdef'
export const TMDB_TOKEN = 'eyJhbGciOiJIUzI1NiJ9.eyJhdWQiOiIwIn0.c2lnbmF0dXJl'

const PAGE = 20

/**
 * A server that behaves like version 3 of The Movie Database: key in the query or token in the header, paged search, find, titles with
 * append_to_response, seasons, images, configuration, and its own errors.
 */
export async function startFakeTmdb(t: Test, titles: FakeTitle[] = []): Promise<FakeTmdb> {
  const fake: FakeTmdb = { baseUrl: '', requests: [], titles, overrideResponse: undefined }
  const server = createServer((request, response) => answer(fake, request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  fake.baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/3`
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return fake
}

function answer(fake: FakeTmdb, request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? '', fake.baseUrl)
  const path = url.pathname.replace(/^\/3/, '')
  const key = url.searchParams.get('api_key')
  url.searchParams.delete('api_key')
  fake.requests.push(`${request.method} ${path}${url.search}`)
  const fault = fake.overrideResponse?.({ path, count: fake.requests.length })
  if (fault === 'hang') return
  if (fault === 'drop') return void request.socket.destroy()
  if (fault !== undefined) return sendFault(response, fault)
  if (key !== TMDB_KEY && request.headers.authorization !== `Bearer ${TMDB_TOKEN}`) {
    return send(response, 401, failure(7, 'Invalid API key: You must be granted a valid key.'))
  }
  const body = route(fake, path, url.searchParams)
  if (body === undefined) return send(response, 404, failure(34, 'The resource you requested could not be found.'))
  send(response, 200, body)
}

function sendFault(response: ServerResponse, fault: Exclude<FakeFault, string>): void {
  const headers = fault.retryAfter === undefined ? {} : { 'retry-after': fault.retryAfter }
  const body = fault.status === 429 ? failure(25, 'Your request count (#) is over the allowed limit of (40).') : {}
  response.writeHead(fault.status, { 'content-type': 'application/json;charset=utf-8', ...headers })
  response.end(fault.text ?? JSON.stringify(fault.body ?? body))
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json;charset=utf-8' })
  response.end(JSON.stringify(body))
}

const failure = (code: number, message: string) => ({ success: false, status_code: code, status_message: message })

function route({ titles }: FakeTmdb, path: string, query: URLSearchParams): unknown {
  const [, first, second = '', third, fourth] = path.split('/')
  if (path === '/configuration') return CONFIGURATION
  if (first === 'search') return search(titles, second, query)
  if (first === 'find') return find(titles, second, query.get('external_source'))
  const title = titles.find(({ id, kind }) => String(id) === second && kind === first)
  if (title === undefined) return undefined
  if (third === undefined) return detail(title, (query.get('append_to_response') ?? '').split(','))
  if (third === 'images') return imagesOf(title)
  return third === 'season' ? season(title, Number(fourth)) : undefined
}

const CONFIGURATION = {
  images: {
    base_url: 'http://image.example.test/t/p/',
    secure_base_url: 'https://image.example.test/t/p/',
    backdrop_sizes: ['w300', 'w780', 'w1280', 'original'],
    logo_sizes: ['w45', 'w500', 'original'],
    poster_sizes: ['w92', 'w342', 'w780', 'original'],
    profile_sizes: ['w45', 'w185', 'h632', 'original'],
    still_sizes: ['w92', 'w185', 'w300', 'original'],
  },
  change_keys: ['adult'],
}

function search(titles: readonly FakeTitle[], kind: string, query: URLSearchParams): unknown {
  const wanted = folded(query.get('query') ?? '')
  const year = query.get(kind === 'movie' ? 'year' : 'first_air_date_year')
  const page = Number(query.get('page') ?? 1)
  const found = titles.filter(
    (one) =>
      one.kind === kind &&
      (year === null || one.date?.slice(0, 4) === year) &&
      [one.title, one.originalTitle, ...(one.alternatives ?? [])].some((text) => folded(text ?? '').includes(wanted)),
  )
  const results = found.slice((page - 1) * PAGE, page * PAGE).map(rowOf)
  return { page, results, total_pages: Math.max(1, Math.ceil(found.length / PAGE)), total_results: found.length }
}

/** The search ignores accents and punctuation. */
function folded(text: string): string {
  const words = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll('&', ' and ')
  return words.replaceAll(/[^\p{L}\p{N}]+/gu, ' ').trim()
}

function find(titles: readonly FakeTitle[], id: string, source: string | null): unknown {
  const found = titles.filter((one) => (source === 'imdb_id' ? one.imdb === id : String(one.tvdb) === id))
  const rows = (kind: string) => found.filter((one) => one.kind === kind).map(rowOf)
  return { movie_results: rows('movie'), tv_results: rows('tv'), person_results: [], tv_episode_results: [] }
}

function rowOf({ id, kind, title, originalTitle = title, date = '', popularity = 1, more = {} }: FakeTitle) {
  const names =
    kind === 'movie'
      ? { title, original_title: originalTitle, release_date: date }
      : { name: title, original_name: originalTitle, first_air_date: date }
  return {
    id,
    ...names,
    adult: false,
    overview: `About ${title}.`,
    poster_path: `/poster${id}.jpg`,
    backdrop_path: `/backdrop${id}.jpg`,
    vote_average: 7.5,
    vote_count: 120,
    popularity,
    ...more,
  }
}

function detail(title: FakeTitle, parts: readonly string[]): Record<string, unknown> {
  const whole = { ...PARTS(title), ...rowOf(title) }
  const asked = new Set(parts)
  const base: Record<string, unknown> = {
    ...rowOf(title),
    tagline: `The tagline of ${title.title}`,
    genres: [
      { id: 1, name: 'Drama' },
      { id: 2, name: 'Mystery' },
    ],
    production_companies: [{ id: 9, name: 'Studio Nine', logo_path: '/nine.png', origin_country: 'FR' }],
    status: 'Released',
    ...(title.kind === 'movie' && { imdb_id: title.imdb ?? null, belongs_to_collection: title.collection ?? null }),
    ...(title.kind === 'tv' && {
      created_by: [{ id: 4, name: 'A Creator' }],
      networks: [{ id: 5, name: 'Network Five' }],
      seasons: Object.entries(title.seasons ?? {}).map(([number, episodes]) => ({
        season_number: Number(number),
        episode_count: episodes.length,
        air_date: episodes[0]?.airDate ?? null,
        name: `Season ${number}`,
      })),
    }),
  }
  for (const [name, value] of Object.entries(whole)) if (asked.has(name)) base[name] = value
  return { ...base, ...title.more }
}

const PARTS = (title: FakeTitle): Record<string, unknown> => ({
  credits: {
    cast: [
      { id: 1, name: 'First Actor', character: 'Hero', profile_path: '/actor1.jpg', order: 0 },
      { id: 2, name: 'Second Actor', character: 'Friend', profile_path: null, order: 1 },
    ],
    crew: [
      { id: 3, name: 'A Gaffer', job: 'Gaffer', profile_path: null },
      ...(title.kind === 'movie'
        ? [{ id: 4, name: 'The Director', job: 'Director', profile_path: '/director.jpg' }]
        : []),
    ],
  },
  external_ids: { imdb_id: title.imdb ?? null, tvdb_id: title.tvdb ?? null },
  images: imagesOf(title),
  videos: {
    results: [
      { site: 'YouTube', type: 'Featurette', key: 'featurette1', official: true, iso_639_1: 'en' },
      { site: 'YouTube', type: 'Trailer', key: 'unofficial1', official: false, iso_639_1: 'en' },
      { site: 'YouTube', type: 'Trailer', key: 'officialKey', official: true, iso_639_1: 'en' },
    ],
  },
  release_dates: {
    results: [
      { iso_3166_1: 'DE', release_dates: [{ certification: '12', type: 3 }] },
      {
        iso_3166_1: 'US',
        release_dates: [
          { certification: 'UNRATED', type: 5 },
          { certification: '', type: 1 },
          { certification: 'PG-13', type: 3 },
        ],
      },
    ],
  },
  content_ratings: { results: [{ iso_3166_1: 'US', rating: 'TV-14' }] },
  keywords: { [title.kind === 'movie' ? 'keywords' : 'results']: [{ id: 1, name: 'heist' }] },
  alternative_titles: {
    [title.kind === 'movie' ? 'titles' : 'results']: (title.alternatives ?? []).map((one) => ({
      iso_3166_1: 'FR',
      title: one,
    })),
  },
})

function imagesOf({ id }: FakeTitle): Record<string, unknown> {
  const picture = (path: string, language: string | null, votes: number) => ({
    file_path: path,
    width: 1000,
    height: 1500,
    iso_639_1: language,
    vote_average: votes,
    vote_count: 10,
  })
  return {
    backdrops: [],
    logos: [picture(`/logo${id}.svg`, 'en', 9), picture(`/logo${id}.png`, 'en', 8)],
    posters: [picture(`/poster${id}.jpg`, 'en', 8), picture(`/other${id}.jpg`, null, 5)],
  }
}

function season({ seasons = {} }: FakeTitle, number: number): unknown {
  const episodes = seasons[number]
  if (episodes === undefined) return undefined
  return {
    season_number: number,
    name: `Season ${number}`,
    overview: `Season ${number} tells more.`,
    air_date: episodes[0]?.airDate ?? null,
    poster_path: `/season${number}.jpg`,
    episodes: episodes.map(({ number: episode, name, airDate = null, overview = `About ${name}.` }) => ({
      season_number: number,
      episode_number: episode,
      name,
      overview,
      air_date: airDate,
      still_path: `/still${number}x${episode}.jpg`,
      vote_average: 8.1,
      vote_count: 30,
      crew: [{ name: 'Episode Director', job: 'Director', profile_path: null }],
      guest_stars: [{ name: 'A Guest', character: 'Guest', profile_path: null }],
    })),
  }
}
