import type { Library, LibraryType } from '../../libraries/index.ts'
import {
  countItemsToMatch,
  hasProvider,
  listItemsToMatch,
  createRecentMissFilter,
  recordMiss,
  resolveItem,
  preferredSourceNames,
  matchScopeForJob,
  writeResolution,
  type MatchableItem,
  type MetadataProviders,
  type MusicProvider,
  type ItemResolution,
} from '../../metadata/index.ts'
import {
  countAlbumsToMatch,
  listAlbumsToMatch,
  resolveAlbum,
  writeAlbumResolution,
  type AlbumResolution,
  type MatchableAlbum,
} from '../../music/index.ts'
import type { Connection } from '../../platform/database/index.ts'
import type { JobRunResult, JobRunner, JobRun } from '../job/job-run.ts'
import { matchLibrary, type EntityMatching } from './match-library.ts'
import { ROOT_UNAVAILABLE } from '../walk/root-guard.ts'

/** The remark of a job without a configured provider. */
const NO_PROVIDER = 'no metadata provider is configured'

/** Libraries with films. In other libraries videos are private recordings, which no provider knows. */
const FILM_LIBRARIES: ReadonlySet<LibraryType> = new Set(['movie', 'series', 'video'])

/** Matches the items that have not been matched yet. */
export const matchMetadata: JobRunner = (run) => match(run, { isForced: false })

/** Matches all items again, except those that must not be overwritten. */
export const refreshMetadata: JobRunner = (run) => match(run, { isForced: true })

/** Returns whether a provider exists for the contents of a library. */
export function isMatchable({ type }: Pick<Library, 'type'>, providers: MetadataProviders | undefined): boolean {
  if (providers === undefined) return false
  return type === 'music' ? providers.musicbrainz !== undefined : FILM_LIBRARIES.has(type) && hasProvider(providers)
}

/**
 * Returns the number of films and series, or albums, that a job would match now.
 * @param input.automaticAt the current time for an automatic job; undefined for a job that a user requested
 */
export async function countMatchableEntities(
  { db, metadata }: { db: Connection; metadata: MetadataProviders },
  { library, isForced, automaticAt }: { library: Library; isForced: boolean; automaticAt?: Date },
): Promise<number> {
  const count = library.type === 'music' ? countAlbumsToMatch : countItemsToMatch
  const misses = automaticAt === undefined ? undefined : createRecentMissFilter(metadata, automaticAt)
  return count(db, {
    libraryId: library.id,
    visit: await matchScopeForJob(metadata, { isForced }),
    after: null,
    misses,
  })
}

async function match(run: JobRun, { isForced }: { isForced: boolean }): Promise<JobRunResult> {
  const { job, library, services, roots } = run
  const { metadata: providers } = services
  if (providers === undefined || !isMatchable(library, providers)) {
    return FILM_LIBRARIES.has(library.type) ? { remark: NO_PROVIDER } : undefined
  }
  if (roots.some((root) => !root.isAvailable)) return ROOT_UNAVAILABLE
  const misses = job.options.isAutomatic === true ? createRecentMissFilter(providers, job.startedAt) : undefined
  const matchOptions = { visit: await matchScopeForJob(providers, { isForced }), isForced, misses }
  const { musicbrainz } = providers
  if (library.type !== 'music') await matchLibrary(run, titleMatching(run, { providers, isForced }), matchOptions)
  else if (musicbrainz !== undefined) await matchLibrary(run, albumMatching(musicbrainz, isForced), matchOptions)
  return undefined
}

/** Films, videos and series. Seasons and episodes are matched with their series. */
function titleMatching(
  { services: { db }, roots, library }: JobRun,
  { providers, isForced }: { providers: MetadataProviders; isForced: boolean },
): EntityMatching<MatchableItem, ItemResolution> {
  return {
    count: countItemsToMatch,
    list: listItemsToMatch,
    resolve: (item, asked) =>
      resolveItem({ db, providers }, { item, roots, isForced, order: preferredSourceNames(library, item) }, asked),
    isMatched: (resolution) => resolution.isMatched,
    write: (connection, { entity: item, resolution, now }) =>
      resolution.isMatched
        ? writeResolution(connection, { resolution, now })
        : recordMiss(connection, { item, providers, now }),
    placeOf: ({ path, name }) => path ?? name,
    unmatchedReason: 'no title fits it beyond doubt',
  }
}

/** Albums, each with its artist. */
function albumMatching(provider: MusicProvider, isForced: boolean): EntityMatching<MatchableAlbum, AlbumResolution> {
  return {
    count: countAlbumsToMatch,
    list: listAlbumsToMatch,
    resolve: (album, asked) => resolveAlbum(provider, { album, isForced }, asked),
    isMatched: ({ album }) => album !== undefined,
    write: (connection, { entity: album, resolution, now }) =>
      writeAlbumResolution(connection, { album, resolution, now }),
    placeOf: ({ artist, title }) => `${artist} / ${title}`,
    unmatchedReason: 'no album fits it beyond doubt',
  }
}
