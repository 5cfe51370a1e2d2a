import { startFakeArr, validationError, type ArrAnswer, type ArrCall, type FakeArr } from './fake-arr.ts'

type Season = { seasonNumber: number; monitored: boolean }
export type FakeEpisode = {
  id: number
  seriesId: number
  seasonNumber: number
  episodeNumber: number
  monitored: boolean
  hasFile: boolean
}
export type FakeSeries = {
  id: number
  tvdbId: number
  tmdbId: number
  title: string
  monitored: boolean
  seasons: Season[]
  path: string
  qualityProfileId: number
  rootFolderPath: string
  addOptions?: { monitor?: string; searchForMissingEpisodes?: boolean } | undefined
}

/** A series that can be added: number of episodes of each season, from season 0 on. */
type Known = { tvdbId: number; title: string; episodes: number[] }

export type FakeSonarr = FakeArr & {
  series: FakeSeries[]
  episodes: FakeEpisode[]
  searches: { name: string; seriesId?: number; seasonNumber?: number; episodeIds?: number[] }[]
  catalogue: Map<number, Known>
  /** Versions before 4 treat `tmdb:1396` as a title. */
  isOld: boolean
  /** Number of polls until the refresh of a new series ends; only then it has episodes. */
  refreshSteps: number
  has(tmdbId: number, more?: Partial<FakeSeries>): FakeSeries
  /** Imports a file for each of these episodes. */
  imports(seriesId: number, seasonNumber: number, episodeNumbers: number[]): void
}

const PROFILES = [{ id: 6, name: 'HD - 720p/1080p' }]
const ROOTS = [{ id: 1, path: '/tv/', accessible: true, freeSpace: 1_000_000_000 }]

/** Sonarr's API, version 3, of Sonarr 4, as far as media requests need it. */
export async function startFakeSonarr(t: Parameters<typeof startFakeArr>[0]): Promise<FakeSonarr> {
  const series: FakeSeries[] = []
  const episodes: FakeEpisode[] = []
  const searches: FakeSonarr['searches'] = []
  const refreshes = new Map<number, number>()
  const catalogue = new Map<number, Known>([
    [1396, { tvdbId: 81_189, title: 'Breaking Bad', episodes: [2, 3, 4] }],
    [70_523, { tvdbId: 334_824, title: 'Dark', episodes: [0, 3] }],
  ])

  function refresh(row: FakeSeries): void {
    const known = catalogue.get(row.tmdbId)
    for (const [seasonNumber, count] of known?.episodes.entries() ?? []) {
      const season = row.seasons.find((one) => one.seasonNumber === seasonNumber)
      const monitored = row.addOptions?.monitor === 'none' ? false : season?.monitored === true
      for (let episodeNumber = 1; episodeNumber <= count; episodeNumber += 1) {
        const id = episodes.length + 1
        episodes.push({ id, seriesId: row.id, seasonNumber, episodeNumber, monitored, hasFile: false })
      }
    }
    if (row.addOptions?.monitor === 'none') for (const season of row.seasons) season.monitored = false
    if (row.addOptions?.searchForMissingEpisodes === true) {
      searches.push({ name: 'MissingEpisodeSearch', seriesId: row.id })
    }
    row.addOptions = undefined
  }

  const seasonsOf = (known: Known, monitored: boolean): Season[] =>
    known.episodes.map((_, seasonNumber) => ({ seasonNumber, monitored: monitored && seasonNumber > 0 }))

  function insert(tmdbId: number, more: Partial<FakeSeries>): FakeSeries {
    const known = catalogue.get(tmdbId) ?? { tvdbId: 1, title: 'Unknown', episodes: [] }
    const row: FakeSeries = {
      id: series.length + 1,
      tvdbId: known.tvdbId,
      tmdbId,
      title: known.title,
      monitored: true,
      seasons: seasonsOf(known, true),
      path: `/tv/${known.title}`,
      qualityProfileId: 6,
      rootFolderPath: '/tv/',
      ...more,
    }
    series.push(row)
    return row
  }

  function statistics(ofEpisodes: FakeEpisode[]) {
    const counted = ofEpisodes.filter(({ monitored, hasFile }) => monitored || hasFile)
    const files = ofEpisodes.filter(({ hasFile }) => hasFile).length
    return { episodeFileCount: files, episodeCount: counted.length, totalEpisodeCount: ofEpisodes.length }
  }

  function resource(row: FakeSeries) {
    const own = episodes.filter(({ seriesId }) => seriesId === row.id)
    return {
      ...row,
      addOptions: undefined,
      statistics: statistics(own),
      seasons: row.seasons.map((season) => ({
        ...season,
        statistics: statistics(own.filter(({ seasonNumber }) => seasonNumber === season.seasonNumber)),
      })),
    }
  }

  function lookUp(term: string): ArrAnswer {
    const tmdbId = fake.isOld ? Number.NaN : Number(/^tmdb:(\d+)$/.exec(term)?.[1])
    if (fake.isOld) {
      const other = {
        tvdbId: 5,
        title: 'A series whose title is alike',
        year: 2001,
        seasons: [{ seasonNumber: 1, monitored: true }],
      }
      return { status: 200, json: [other] }
    }
    const known = catalogue.get(tmdbId)
    if (known === undefined) return { status: 200, json: [] }
    const found = { tvdbId: known.tvdbId, tmdbId, title: known.title, year: 2008, monitored: true, images: [] }
    return { status: 200, json: [{ ...found, seasons: seasonsOf(known, true) }] }
  }

  function post(body: FakeSeries): ArrAnswer {
    if (!(body.tvdbId > 0))
      return validationError('TvdbId', "'Tvdb Id' must be greater than '0'.", 'GreaterThanValidator')
    if (series.some(({ tvdbId }) => tvdbId === body.tvdbId)) {
      return validationError('TvdbId', 'This series has already been added', 'SeriesExistsValidator')
    }
    if (!body.title) return validationError('Title', "'Title' must not be empty.", 'NotEmptyValidator')
    if (!PROFILES.some(({ id }) => id === body.qualityProfileId)) {
      return validationError('QualityProfileId', 'Quality Profile does not exist', 'QualityProfileExistsValidator')
    }
    if (!ROOTS.some(({ path }) => path === body.rootFolderPath)) {
      return validationError('RootFolderPath', 'Root folder does not exist', 'RootFolderExistsValidator')
    }
    const { monitored, seasons, addOptions, qualityProfileId, rootFolderPath } = body
    const row = insert(body.tmdbId, { monitored, seasons, addOptions, qualityProfileId, rootFolderPath })
    refreshes.set(row.id, fake.refreshSteps)
    return { status: 201, json: resource(row) }
  }

  /** Monitoring a season monitors its episodes. */
  function put(row: FakeSeries, body: FakeSeries): ArrAnswer {
    for (const season of body.seasons) {
      const before = row.seasons.find(({ seasonNumber }) => seasonNumber === season.seasonNumber)
      if (before?.monitored === season.monitored) continue
      for (const episode of episodes) {
        if (episode.seriesId === row.id && episode.seasonNumber === season.seasonNumber)
          episode.monitored = season.monitored
      }
    }
    const seasons = body.seasons.map(({ seasonNumber, monitored }) => ({ seasonNumber, monitored }))
    return { status: 202, json: resource(Object.assign(row, { monitored: body.monitored, seasons })) }
  }

  function listCommands(): ArrAnswer {
    const commands = [...refreshes].map(([seriesId, left]) => {
      const row = series.find(({ id }) => id === seriesId)
      if (left === 0 && row?.addOptions !== undefined) refresh(row)
      refreshes.set(seriesId, Math.max(0, left - 1))
      return { name: 'RefreshSeries', status: left > 0 ? 'started' : 'completed', body: { seriesIds: [seriesId] } }
    })
    return { status: 200, json: [{ name: 'RssSync', status: 'completed', body: {} }, ...commands] }
  }

  const ok = (json: unknown): ArrAnswer => ({ status: 200, json })

  const ANSWERS: Record<string, (call: ArrCall, id: number) => ArrAnswer> = {
    'GET /series': ({ query }) => {
      const wanted = Number(query.get('tvdbId'))
      return ok(series.filter(({ tvdbId }) => wanted === 0 || tvdbId === wanted).map(resource))
    },
    'GET /series/lookup': ({ query }) => lookUp(query.get('term') ?? ''),
    'GET /qualityprofile': () => ok(PROFILES),
    'GET /rootfolder': () => ok(ROOTS),
    'POST /series': ({ body }) => post(body as FakeSeries),
    'PUT /series/{id}': ({ body }, id) => {
      const row = series.find((known) => known.id === id)
      return row === undefined ? { status: 404, json: { message: 'NotFound' } } : put(row, body as FakeSeries)
    },
    'GET /episode': ({ query }) => {
      const [seriesId, seasonNumber] = [Number(query.get('seriesId')), Number(query.get('seasonNumber'))]
      return ok(episodes.filter((one) => one.seriesId === seriesId && one.seasonNumber === seasonNumber))
    },
    'PUT /episode/monitor': ({ body }) => {
      const { episodeIds, monitored } = body as { episodeIds: number[]; monitored: boolean }
      const meant = episodes.filter(({ id }) => episodeIds.includes(id))
      for (const episode of meant) episode.monitored = monitored
      return { status: 202, json: meant }
    },
    'GET /command': listCommands,
    'POST /command': ({ body }) => {
      searches.push(body as FakeSonarr['searches'][number])
      return { status: 201, json: { id: searches.length, status: 'queued' } }
    },
  }

  function answer(call: ArrCall): ArrAnswer {
    const id = Number(/^\/series\/(\d+)$/.exec(call.path)?.[1])
    const known = ANSWERS[`${call.method} ${Number.isNaN(id) ? call.path : '/series/{id}'}`]
    return known === undefined ? { status: 404, json: { message: 'NotFound' } } : known(call, id)
  }

  const fake: FakeSonarr = Object.assign(await startFakeArr(t, answer), {
    series,
    episodes,
    searches,
    catalogue,
    isOld: false,
    refreshSteps: 1,
    has(tmdbId: number, more: Partial<FakeSeries> = {}): FakeSeries {
      const row = insert(tmdbId, more)
      refresh(row)
      return row
    },
    imports(seriesId: number, seasonNumber: number, numbers: number[]): void {
      for (const episode of episodes) {
        const isMeant = episode.seriesId === seriesId && episode.seasonNumber === seasonNumber
        if (isMeant && numbers.includes(episode.episodeNumber)) episode.hasFile = true
      }
    },
  })
  return fake
}
