import { dirname, posix } from 'node:path'
import { z } from 'zod'
import { listLibraries } from '../libraries/index.ts'
import { parsePathMap, useForwardSlashes, type Config } from '../platform/config/index.ts'
import type { JobQueue } from '../platform/jobs/index.ts'
import { queueScan } from '../scanning/index.ts'
import type { AcquirerName } from './acquisition/acquirer.ts'
import {
  checkImportsOfRequests,
  markRequestsAvailable,
  type ImportCheckDependencies,
} from './check-imported-requests.ts'
import { requestErrors } from './errors.ts'
import { selectApprovedRequests } from './queries.ts'

/** An id of a catalogue; null for an invalid id: the senders use 0 for an unknown id. */
const CatalogNumber = z.number().transform((value) => (z.int32().positive().safeParse(value).success ? value : null))

const Movie = z.object({ tmdbId: CatalogNumber, folderPath: z.string().nullish() })
const Series = z.object({ tvdbId: CatalogNumber, tmdbId: CatalogNumber.nullish(), path: z.string().nullish() })
const Episodes = z.array(z.object({ seasonNumber: z.number(), episodeNumber: z.number() }))

const Message = z.object({ eventType: z.string() })
const MovieImport = z.object({ movie: Movie, movieFile: z.object({ path: z.string().nullish() }).nullish() })
const EpisodeImport = z.object({ series: Series, episodes: Episodes })

type Dependencies = ImportCheckDependencies & { jobs: JobQueue }

/** The result of a message. */
export type ImportResult = {
  /** The sender's name of the event: `Test`, `Grab`, `Download` … */
  event: string
  /** Number of requests that became available. */
  availableCount: number
  /** The library that contains the folder and will be scanned. */
  libraryId: string | null
}

type Import = { type: 'movie' | 'series'; tmdbId: number | null; tvdbId: number | null; folder: string | null }

/**
 * Handles a webhook message of Radarr or Sonarr. `Download` means that files were imported: approved requests for them become available,
 * and the library that contains their folder is scanned. All other events, including `Test`, are ignored.
 * @param message parsed JSON, not validated
 * @throws AppError `invalid_request` for another format
 */
export async function receiveImport(
  services: Dependencies,
  { name, message }: { name: AcquirerName; message: unknown },
): Promise<ImportResult> {
  const { eventType: event } = parse(Message, message)
  if (event !== 'Download') return { event, availableCount: 0, libraryId: null }
  const { arrived, availableCount } =
    name === 'radarr' ? await handleMovieImport(services, message) : await handleEpisodeImport(services, message)
  return { event, availableCount, libraryId: await scanFolder(services, { name, folder: arrived.folder }) }
}

type ImportOutcome = { arrived: Import; availableCount: number }

async function handleMovieImport(services: Dependencies, message: unknown): Promise<ImportOutcome> {
  const { movie, movieFile } = parse(MovieImport, message)
  const folder = movie.folderPath ?? (movieFile?.path == null ? null : dirname(useForwardSlashes(movieFile.path)))
  const arrived: Import = { type: 'movie', tmdbId: movie.tmdbId, tvdbId: null, folder }
  const requests = await selectApprovedRequests(services.db, arrived)
  return { arrived, availableCount: await markRequestsAvailable(services, requests) }
}

/** The message proves the import of single episodes; for whole seasons and series Sonarr is queried. */
async function handleEpisodeImport(services: Dependencies, message: unknown): Promise<ImportOutcome> {
  const { series, episodes } = parse(EpisodeImport, message)
  const { tmdbId = null, tvdbId, path: folder = null } = series
  const arrived: Import = { type: 'series', tmdbId, tvdbId, folder }
  const requests = await selectApprovedRequests(services.db, arrived)
  const single = requests.filter((request) =>
    episodes.some(
      (episode) => episode.seasonNumber === request.seasonNumber && episode.episodeNumber === request.episodeNumber,
    ),
  )
  const larger = requests.filter(({ episodeNumber }) => episodeNumber === null)
  const count = await markRequestsAvailable(services, single)
  const deadline = AbortSignal.timeout(services.config.options['acquisition.timeout_seconds'] * 1000)
  return { arrived, availableCount: count + (await checkImportsOfRequests(services, larger, deadline)) }
}

async function scanFolder(
  services: Dependencies,
  { name, folder }: { name: AcquirerName; folder: string | null },
): Promise<string | null> {
  if (folder === null) return null
  const here = localFolder(services.config, { name, folder })
  const roots = (await listLibraries(services)).flatMap(({ id, paths }) => paths.map((path) => ({ id, path })))
  const library = roots
    .filter(({ path }) => isInside(here, path))
    .toSorted((one, other) => other.path.length - one.path.length)[0]
  if (library === undefined) {
    services.log.notice({ name, folder: here }, 'no library holds the folder that was imported to')
    return null
  }
  await queueScan(services, { libraryId: library.id, type: 'scan' })
  return library.id
}

/** Maps a folder of the sender to a folder on this machine. */
function localFolder({ options }: Config, { name, folder }: { name: AcquirerName; folder: string }): string {
  const path = posix.normalize(useForwardSlashes(folder))
  const { mappings } = parsePathMap(options[`acquisition.${name}.path_map`])
  const mapping = mappings.find(({ remote }) => isInside(path, remote))
  return mapping === undefined ? path : posix.join(mapping.local, path.slice(mapping.remote.length))
}

function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`)
}

function parse<Shape>(shape: z.ZodType<Shape>, message: unknown): Shape {
  const parsed = shape.safeParse(message)
  if (parsed.success) return parsed.data
  const field = parsed.error.issues[0]?.path.join('.') ?? ''
  throw requestErrors.invalid_request({
    message: `${field === '' ? 'body' : field} is not what Radarr and Sonarr send`,
  })
}
