import type { Test } from 'tap'
import type { ItemWrite } from '../../src/core/catalogue/index.ts'
import { pick, startApp, type Answer, type TestApp } from './app.ts'
import { makeItems } from './catalogue-items.ts'

/** Cast of the first film. */
export const CAST = [{ name: 'Keanu Reeves', role: 'Neo', profile_url: 'https://images.example/neo.jpg' }]

/** Provider metadata of some films. */
export const FILMS: readonly Partial<ItemWrite>[] = [
  {
    name: 'The Matrix',
    sortTitle: 'Matrix',
    year: 1999,
    durationSeconds: 8160,
    metadata: {
      overview: 'A hacker learns.',
      tagline: 'Free your mind.',
      genres: ['Action', 'Science Fiction'],
      actors: ['Keanu Reeves', 'Carrie-Anne Moss'],
      director: 'Lana Wachowski',
      rating: 'R',
      vote_average: 8.2,
      vote_count: 24_000,
      cast: CAST,
      crew: [{ name: 'Lana Wachowski', job: 'Director', profile_url: 'javascript:alert(1)' }],
      production_companies: [{ name: 'Warner Bros.', logo_url: null, origin_country: 'US' }],
      tags: ['virtual reality'],
      trailer_key: 'm8e-FF8MsqU',
      trailer_site: 'YouTube',
      trailer_url: 'https://www.youtube.com/watch?v=m8e-FF8MsqU',
      external_ids: { tmdb: 603, imdb: 'tt0133093' },
    },
  },
  {
    name: 'John Wick',
    sortTitle: 'John Wick',
    year: 2014,
    durationSeconds: 6060,
    metadata: { genres: ['action', 'Thriller'], actors: ['Keanu Reeves'], rating: 'R', vote_average: 7.4 },
  },
  {
    name: 'Amélie',
    sortTitle: 'Amélie',
    year: 2001,
    durationSeconds: 7320,
    metadata: {
      genres: ['Comedy', 'Romance'],
      actors: ['Audrey Tautou'],
      rating: 'R',
      vote_average: 7.9,
      studio: 'UGC',
    },
  },
  { name: '2001: A Space Odyssey', sortTitle: '2001: A Space Odyssey', year: 1968, metadata: { rating: 'G' } },
  { name: '君の名は', sortTitle: '君の名は', year: 2016, metadata: { rating: 'PG', genres: ['Animation'] } },
  { name: 'Paddington', sortTitle: 'Paddington', year: null, durationSeconds: null, metadata: { genres: ['comedy'] } },
]

/** The context of browsing tests. */
export type FilmCatalogue = TestApp & {
  token: string
  get: (path: string, token?: string) => Promise<Answer>
  names: (query: string) => Promise<string[]>
  ids: string[]
  libraryId: string
}

/** A daemon whose catalogue contains exactly these films, and a user. */
export async function startFilmCatalogue(
  t: Test,
  films: readonly Partial<ItemWrite>[] = FILMS,
): Promise<FilmCatalogue> {
  const server = await startApp(t)
  const { token } = await server.registerUser()
  const ids = await makeItems(server.services.db, t.testdir(), films)
  const get = (path: string, caller = token) => server.ask('GET', `/api/v1${path}`, { token: caller })
  const names = async (query: string): Promise<string[]> => {
    const { json } = await get(`/media?${query}`)
    return (pick(json, 'items') as unknown[]).map((item) => String(pick(item, 'name')))
  }
  const libraryId = String(pick((await get('/media')).json, 'items', 0, 'library_id'))
  return { ...server, token, get, names, ids, libraryId }
}

/** Episodes of one series, numbered `season:episode`. */
export function episodes(numbers: readonly string[]): Partial<ItemWrite>[] {
  return numbers.map((number) => {
    const [season = 0, episode = 0] = number.split(':').map(Number)
    return {
      type: 'episode',
      name: `Episode ${number}`,
      sortTitle: `Episode ${number}`,
      seasonNumber: season,
      episodeNumber: episode,
      path: `/shows/Show/${number}.mkv`,
      groups: [
        { type: 'series', key: 'show', name: 'Show', sortTitle: 'Show', year: 2010, metadata: {} },
        {
          type: 'season',
          key: `show/${season}`,
          name: `Season ${season}`,
          sortTitle: `Season ${season}`,
          year: null,
          seasonNumber: season,
          metadata: {},
        },
      ],
    }
  })
}
