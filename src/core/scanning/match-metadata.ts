import type { Library, LibraryType } from '../libraries/index.ts'
import {
  countItemsToMatch,
  hasProvider,
  listItemsToMatch,
  recentMisses,
  recordMiss,
  resolveItem,
  visitOf,
  writeResolution,
  type MatchableItem,
  type MetadataProviders,
  type MusicProvider,
  type Resolution,
} from '../metadata/index.ts'
import {
  countAlbumsToMatch,
  listAlbumsToMatch,
  resolveAlbum,
  writeAlbumResolution,
  type AlbumResolution,
  type MatchableAlbum,
} from '../music/index.ts'
import type { Connection } from '../platform/database/index.ts'
import type { JobEnd, JobPhases, JobRun } from './job-run.ts'
import { matchLibrary, type Matching } from './match-library.ts'
import { ROOT_UNAVAILABLE } from './root-guard.ts'

/** What a job says that has nobody to ask (decisions 3.5). */
const NO_PROVIDER = 'no metadata provider is configured'

/** In the others a video is a film between pictures, and nobody has a database of those. */
const FILM_LIBRARIES: ReadonlySet<LibraryType> = new Set(['movie', 'series', 'video'])

/** Asks about what has not been matched yet (document 1, job semantics 5). */
export const matchMetadata: JobPhases = (run) => match(run, { isForced: false })

/** Asks about everything anew, unless what there is must not be overwritten (document 1, job semantics 6). */
export const refreshMetadata: JobPhases = (run) => match(run, { isForced: true })

/** Whether anybody can be asked about what is in a library. */
export function isMatchable({ type }: Pick<Library, 'type'>, providers: MetadataProviders | undefined): boolean {
  if (providers === undefined) return false
  return type === 'music' ? providers.musicbrainz !== undefined : FILM_LIBRARIES.has(type) && hasProvider(providers)
}

/**
 * How many films and series, or albums, a job would ask about now.
 * @param input.automaticAt of a job that no person asks for, when that is
 */
export async function countMatchable(
  { db, metadata }: { db: Connection; metadata: MetadataProviders },
  { library, isForced, automaticAt }: { library: Library; isForced: boolean; automaticAt?: Date },
): Promise<number> {
  const count = library.type === 'music' ? countAlbumsToMatch : countItemsToMatch
  const misses = automaticAt === undefined ? undefined : recentMisses(metadata, automaticAt)
  return count(db, { libraryId: library.id, visit: await visitOf(metadata, { isForced }), after: null, misses })
}

async function match(run: JobRun, { isForced }: { isForced: boolean }): Promise<JobEnd> {
  const { job, library, services, roots } = run
  const { metadata: providers } = services
  if (providers === undefined || !isMatchable(library, providers)) {
    return FILM_LIBRARIES.has(library.type) ? { remark: NO_PROVIDER } : undefined
  }
  if (roots.some((root) => !root.isAvailable)) return ROOT_UNAVAILABLE
  const misses = job.options.isAutomatic === true ? recentMisses(providers, job.startedAt) : undefined
  const visiting = { visit: await visitOf(providers, { isForced }), isForced, misses }
  const { musicbrainz } = providers
  if (library.type !== 'music') await matchLibrary(run, titleMatching(run, { providers, isForced }), visiting)
  else if (musicbrainz !== undefined) await matchLibrary(run, albumMatching(musicbrainz, isForced), visiting)
  return undefined
}

/** Films, videos and series; seasons and episodes come with their series. */
function titleMatching(
  { services: { db }, roots }: JobRun,
  { providers, isForced }: { providers: MetadataProviders; isForced: boolean },
): Matching<MatchableItem, Resolution> {
  return {
    count: countItemsToMatch,
    list: listItemsToMatch,
    resolve: (item, asked) => resolveItem({ db, providers }, { item, roots, isForced }, asked),
    isMatched: (resolution) => resolution.isMatched,
    write: (connection, { thing: item, resolution, now }) =>
      resolution.isMatched
        ? writeResolution(connection, { resolution, now })
        : recordMiss(connection, { item, providers, now }),
    placeOf: ({ path, name }) => path ?? name,
    unmatchedReason: 'no title fits it beyond doubt',
  }
}

/** Albums, each with its artist. */
function albumMatching(provider: MusicProvider, isForced: boolean): Matching<MatchableAlbum, AlbumResolution> {
  return {
    count: countAlbumsToMatch,
    list: listAlbumsToMatch,
    resolve: (album, asked) => resolveAlbum(provider, { album, isForced }, asked),
    isMatched: ({ album }) => album !== undefined,
    write: (connection, { thing: album, resolution, now }) =>
      writeAlbumResolution(connection, { album, resolution, now }),
    placeOf: ({ artist, title }) => `${artist} / ${title}`,
    unmatchedReason: 'no album fits it beyond doubt',
  }
}
