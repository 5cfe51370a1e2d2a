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
import { markChildren, sweepOrphans } from './platform/spawn/index.ts'
import { systemClock, type Clock } from './platform/time/index.ts'
import { createSegmentServer, type SegmentServer } from './streaming/index.ts'
import { createEmbeddedTexts, type EmbeddedTexts } from './subtitles/index.ts'

/** Everything that the product's use-cases need from outside; they name the parts that they use. */
export type Services = Readonly<{
  /** With the settings of the database as they were at the start. */
  config: Config
  clock: Clock
  log: Logger
  db: Database
  events: EventBus
  /** For what needs a connection of its own: session locks, the job queue, migrations. */
  connectionUri: string
  jobs: JobQueue
  mediaTools: MediaTools
  /** Pictures in other sizes. */
  images: Images
  /** Requests to other servers. */
  outbound: Outbound
  /** Whom to ask about films and series. */
  metadata: MetadataProviders
  /** Threads that read media files; started by the first scan. */
  readers: ReaderPool
  segments: SegmentServer
  /** Subtitles inside films. */
  subtitles: EmbeddedTexts
  /** Outlines of audiobooks for players. */
  waveforms: Waveforms
  /** Closes all of the above, last opened first; idempotent. */
  close(): Promise<void>
}>

/** The same with what signs: only the daemon makes and checks tokens and addresses, so that commands need no secret (JWT-13). */
export type SigningServices = Services & Readonly<{ jwtSecret: Buffer; signer: UrlSigner }>

export type ServicesInput = {
  config: Config
  log: Logger
  clock?: Clock
}

/**
 * The composition root: opens what the process needs, in dependency order, and knows how to close it.
 * Does not migrate; `serve` and `migrate` do that. Programs that a killed process of this data directory left behind are ended first.
 * @throws AppError `database_unavailable` and alike; whatever was open by then is closed again
 */
export async function createServices({ config: told, log, clock = systemClock }: ServicesInput): Promise<Services> {
  markChildren(told.dataDirectory)
  // A parent that is killed between starting a program and the program's asking for its death signal leaves it behind.
  const orphans = sweepOrphans({ dataDirectory: told.dataDirectory, log })
  if (orphans > 0) log.notice({ count: orphans }, 'ended programs that a killed process left behind')
  const closers = createClosers(log)
  try {
    const database = await openDatabase({ config: told, log })
    closers.add('database', () => database.close())
    const { pool: db, connectionUri } = database
    const config = await withSettings({ config: told, db })
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
 * The services of the daemon. The secret comes first: without a good one nothing is opened, let alone listened on.
 * @throws AppError `insecure_jwt_secret`, `key_file_damaged`, and what `createServices` throws
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
