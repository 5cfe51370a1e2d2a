import { createFindSessionAccount, type FindSessionAccount } from './accounts/index.ts'
import { createWaveforms, type Waveforms } from './audiobooks/index.ts'
import { createClosers } from './closers.ts'
import { createMetadataProviders, type MetadataProviders } from './metadata/index.ts'
import type { Config } from './platform/config/index.ts'
import { openDatabase, type Database } from './platform/database/index.ts'
import { createEventBus, type EventBus } from './platform/events/index.ts'
import { createImages, type Images } from './platform/images/index.ts'
import { createJobQueue, type JobQueue } from './platform/jobs/index.ts'
import { withSettings } from './platform/settings/index.ts'
import { createUrlSigner, loadSigningSecret, type UrlSigner } from './platform/keys/index.ts'
import type { Logger } from './platform/logging/index.ts'
import { createOutbound, type Outbound } from './platform/outbound/index.ts'
import { createReaderPool, type ReaderPool } from './probing/index.ts'
import { createMediaTools, type MediaTools } from './platform/media-tools/index.ts'
import { sweepOrphans } from './platform/spawn/index.ts'
import { systemClock, type Clock } from './platform/time/index.ts'
import { createSegmentServer, type SegmentServer } from './streaming/index.ts'
import { createEmbeddedTexts, type EmbeddedTexts } from './subtitles/index.ts'

/** The dependencies of all use cases. Each use case declares the ones that it uses. */
export type Services = Readonly<{
  /** Includes the settings of the database as of the start. */
  config: Config
  clock: Clock
  log: Logger
  db: Database
  events: EventBus
  findSessionAccount: FindSessionAccount
  /** For uses that need their own connection: session locks, the job queue, migrations. */
  connectionUri: string
  jobs: JobQueue
  mediaTools: MediaTools
  /** Renders pictures in other sizes. */
  images: Images
  /** The HTTP client for other servers. */
  outbound: Outbound
  /** The providers of metadata. */
  metadata: MetadataProviders
  /** The threads that read media files; started by the first scan. */
  readers: ReaderPool
  segments: SegmentServer
  /** Subtitles embedded in films. */
  subtitles: EmbeddedTexts
  /** Waveforms of audiobooks for players. */
  waveforms: Waveforms
  /** Closes all of the above in reverse order of opening; idempotent. */
  close(): Promise<void>
}>

/** The services with the signing secret. Only the daemon creates and verifies tokens and addresses, so that commands need no secret. */
export type SigningServices = Services & Readonly<{ jwtSecret: Buffer; signer: UrlSigner }>

export type ServicesInput = {
  config: Config
  log: Logger
  clock?: Clock
}

/**
 * The composition root: opens the services of a process in the order of their dependencies and closes them in reverse. Does not migrate;
 * `serve` and `migrate` do. Kills programs that a dead process of this data directory left behind.
 * @throws AppError for example `database_unavailable`; services that were already open are closed
 */
export async function createServices({
  config: initialConfig,
  log,
  clock = systemClock,
}: ServicesInput): Promise<Services> {
  // A process that is killed between starting a program and the program's request for the death signal leaves an orphan.
  const orphans = sweepOrphans({ dataDirectory: initialConfig.dataDirectory, log })
  if (orphans > 0) log.notice({ count: orphans }, 'ended programs that a killed process left behind')
  const closers = createClosers(log)
  try {
    const database = await openDatabase({ config: initialConfig, log })
    closers.add('database', () => database.close())
    const { pool: db, connectionUri } = database
    const config = await withSettings({ config: initialConfig, db })
    const mediaTools = createMediaTools({ config, log })
    const jobs = createJobQueue({ connectionUri, log })
    closers.add('job queue', () => jobs.close())
    const readers = createReaderPool()
    closers.add('file readers', () => readers.close())
    const images = createImages({ config, log, clock, mediaTools })
    closers.add('pictures', () => images.close())
    const outbound = createOutbound({ log })
    closers.add('outbound connections', () => outbound.close())
    const metadata = createMetadataProviders({ config, db, clock, outbound })
    closers.add('metadata providers', () => metadata.close())
    const segments = createSegmentServer({ config, log, clock, db, mediaTools })
    closers.add('segment encoders', () => segments.close())
    const subtitles = createEmbeddedTexts({ config, log, clock, mediaTools })
    closers.add('subtitles', () => subtitles.close())
    const waveforms = createWaveforms({ config, log, clock, mediaTools })
    closers.add('waveforms', () => waveforms.close())
    return Object.freeze({
      config,
      clock,
      log,
      db,
      events: createEventBus({ log }),
      findSessionAccount: createFindSessionAccount({ db }),
      connectionUri,
      jobs,
      mediaTools,
      images,
      outbound,
      metadata,
      readers,
      segments,
      subtitles,
      waveforms,
      close: () => closers.closeAll(),
    })
  } catch (error) {
    await closers.closeAll()
    throw error
  }
}

/**
 * The services of the daemon. The secret is loaded first: without a valid one nothing is opened.
 * @throws AppError `insecure_jwt_secret`, `key_file_damaged`, and the errors of `createServices`
 */
export async function createSigningServices(input: ServicesInput): Promise<SigningServices> {
  const jwtSecret = await loadSigningSecret(input)
  const services = await createServices(input)
  return Object.freeze({
    ...services,
    jwtSecret,
    signer: createUrlSigner({ secret: jwtSecret, clock: services.clock }),
  })
}
