import { startFakeArr, validationError, type ArrAnswer, type ArrCall, type FakeArr } from './fake-arr.ts'

export type FakeMovie = {
  id: number
  tmdbId: number
  title: string
  year: number
  monitored: boolean
  hasFile: boolean
  path: string
  qualityProfileId: number
  rootFolderPath: string
  minimumAvailability: string
  addOptions?: unknown
}

export type FakeRadarr = FakeArr & {
  movies: FakeMovie[]
  /** Titles that can be added, in addition to those that it has. */
  catalogue: Map<number, { title: string; year: number }>
  /** Names of the searches that were requested. */
  searches: { name: string; movieIds: number[] }[]
  has(tmdbId: number, more?: Partial<FakeMovie>): FakeMovie
}

const PROFILES = [
  { id: 1, name: 'Any' },
  { id: 4, name: 'HD-1080p' },
]
const ROOTS = [
  { id: 1, path: '/offline', accessible: false, freeSpace: 0 },
  { id: 2, path: '/movies', accessible: true, freeSpace: 1_000_000_000 },
]

/** Radarr's API, version 3, as far as media requests need it. */
export async function startFakeRadarr(t: Parameters<typeof startFakeArr>[0]): Promise<FakeRadarr> {
  const movies: FakeMovie[] = []
  const searches: FakeRadarr['searches'] = []
  const catalogue = new Map([
    [603, { title: 'The Matrix', year: 1999 }],
    [604, { title: 'The Matrix Reloaded', year: 2003 }],
    [62, { title: '2001: A Space Odyssey', year: 1968 }],
  ])
  const has = (tmdbId: number, more: Partial<FakeMovie> = {}): FakeMovie => {
    const { title, year } = catalogue.get(tmdbId) ?? { title: 'Unknown', year: 2000 }
    const path = `/movies/${title} (${year})`
    const row = { id: movies.length + 1, tmdbId, title, year, monitored: true, hasFile: false, path }
    const movie = { ...row, qualityProfileId: 1, rootFolderPath: '/movies', minimumAvailability: 'released', ...more }
    movies.push(movie)
    return movie
  }

  function post(body: FakeMovie & { path?: string }): ArrAnswer {
    if (!Number.isInteger(body.tmdbId) || body.tmdbId === 0) {
      return validationError('TmdbId', "'Tmdb Id' must not be empty.", 'NotEmptyValidator')
    }
    if (movies.some((movie) => movie.tmdbId === body.tmdbId)) {
      return validationError('TmdbId', 'This movie has already been added', 'MovieExistsValidator')
    }
    if (!PROFILES.some(({ id }) => id === body.qualityProfileId)) {
      return validationError('QualityProfileId', 'Quality Profile does not exist', 'QualityProfileExistsValidator')
    }
    if (!ROOTS.some(({ path }) => path === body.rootFolderPath)) {
      return validationError(
        'RootFolderPath',
        `Root folder '${body.rootFolderPath}' does not exist`,
        'RootFolderExistsValidator',
      )
    }
    const { monitored, qualityProfileId, rootFolderPath, minimumAvailability, addOptions } = body
    const settings = { monitored, qualityProfileId, rootFolderPath, minimumAvailability, addOptions }
    return { status: 201, json: has(body.tmdbId, settings) }
  }

  function answer({ method, path, query, body }: ArrCall): ArrAnswer {
    const id = Number(/^\/movie\/(\d+)$/.exec(path)?.[1])
    const wanted = Number(query.get('tmdbId'))
    switch (`${method} ${Number.isNaN(id) ? path : '/movie/{id}'}`) {
      case 'GET /movie':
        return { status: 200, json: movies.filter(({ tmdbId }) => wanted === 0 || tmdbId === wanted) }
      case 'GET /movie/lookup': {
        const tmdbId = Number(/^tmdb:(\d+)$/.exec(query.get('term') ?? '')?.[1])
        const found = catalogue.get(tmdbId)
        return { status: 200, json: found === undefined ? [] : [{ ...found, tmdbId, monitored: false, images: [] }] }
      }
      case 'GET /qualityprofile':
        return { status: 200, json: PROFILES }
      case 'GET /rootfolder':
        return { status: 200, json: ROOTS }
      case 'POST /movie':
        return post(body as FakeMovie)
      case 'PUT /movie/{id}': {
        const movie = movies.find((known) => known.id === id)
        if (movie === undefined) return { status: 404, json: { message: 'NotFound' } }
        const { path: folder } = body as FakeMovie
        if (!folder) return validationError('Path', "'Path' must not be empty.", 'NotEmptyValidator')
        return { status: 202, json: Object.assign(movie, body) }
      }
      case 'POST /command':
        searches.push(body as FakeRadarr['searches'][number])
        return { status: 201, json: { id: searches.length, status: 'queued' } }
      default:
        return { status: 404, json: { message: 'NotFound' } }
    }
  }

  return Object.assign(await startFakeArr(t, answer), { movies, catalogue, searches, has })
}
