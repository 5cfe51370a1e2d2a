import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'

export type FakeTvdb = {
  baseUrl: string
  requests: string[]
  /** Tokens that were given out before are no longer good. */ expire(): void
}

export const TVDB_KEY = 'tvdb-key'

/** A server that behaves like version 4 of TheTVDB: a token for a key, one series with two episodes, its own errors. */
export async function startFakeTvdb(t: Test): Promise<FakeTvdb> {
  let token = 'token-1'
  const requests: string[] = []
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://localhost')
    const path = url.pathname.replace(/^\/v4/, '')
    requests.push(`${request.method} ${path}${url.search}`)
    const send = (status: number, body: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    if (path === '/login') {
      let text = ''
      request.on('data', (chunk: Buffer) => (text += chunk.toString()))
      request.on('end', () => {
        const { apikey } = JSON.parse(text) as { apikey?: string }
        if (apikey === TVDB_KEY) send(200, { status: 'success', data: { token } })
        else send(401, { status: 'failure', message: 'InvalidAPIKey: API key not found' })
      })
      return
    }
    if (request.headers.authorization !== `Bearer ${token}`)
      return send(401, { status: 'failure', message: 'Unauthorized' })
    const data = route(path, url.searchParams)
    if (data === undefined) return send(404, { status: 'failure', message: 'Not Found', data: null })
    send(200, { status: 'success', data })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v4`,
    requests,
    expire: () => void (token = 'token-2'),
  }
}

function route(path: string, query: URLSearchParams): unknown {
  if (path === '/search/remoteid/tt7654321') return [{ series: { id: 777 } }]
  if (path === '/series/777/extended') return SERIES
  if (path !== '/series/777/episodes/default') return undefined
  return {
    series: SERIES,
    episodes: EPISODES.filter(({ seasonNumber }) => String(seasonNumber) === query.get('season')),
  }
}

const SERIES = {
  id: 777,
  name: 'Only Here',
  overview: 'What TMDB does not have.',
  image: 'https://artworks.example.test/banners/posters/777.jpg',
  firstAired: '2005-02-03',
  aliases: [{ language: 'deu', name: 'Nur hier' }],
  genres: [{ id: 1, name: 'Documentary' }],
  companies: [{ id: 1, name: 'Channel' }],
  remoteIds: [{ id: 'tt7654321', type: 2, sourceName: 'IMDB' }],
  seasons: [
    { id: 1, number: 1, type: { id: 1, type: 'official' } },
    { id: 2, number: 1, type: { id: 2, type: 'dvd' } },
  ],
}

const EPISODES = [
  {
    id: 1,
    number: 1,
    seasonNumber: 1,
    name: 'First Light',
    overview: 'It begins.',
    aired: '2005-02-03',
    image: 'https://artworks.example.test/1.jpg',
  },
  { id: 2, number: 2, seasonNumber: 1, name: 'Second Light', overview: null, aired: null, image: null },
]
