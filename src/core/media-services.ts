import { createTrickplayStore, type TrickplayStore } from './analysis/index.ts'
import { createWaveforms, type Waveforms } from './audiobooks/index.ts'
import { closeOnce, type CoreServices } from './core-services.ts'
import { createGetLibraryPaths, type GetLibraryPaths } from './libraries/index.ts'
import { loggedClose } from './logged-close.ts'
import { createMetadataProviders, type MetadataProviders } from './metadata/index.ts'
import { createImages, type Images } from './platform/images/index.ts'
import { createMediaTools, type MediaTools } from './platform/media-tools/index.ts'
import { killOrphans } from './platform/spawn/index.ts'
import type { Semaphore } from './platform/concurrency/index.ts'
import { createInstallationPermits, createPluginHost, type PluginHost } from './plugins/index.ts'
import { createReaderPool, type ReaderPool } from './probing/index.ts'
import { createSegmentServer, type SegmentServer } from './streaming/index.ts'
import {
  createEmbeddedSubtitleReader,
  type EmbeddedSubtitleReader,
  type ListSubtitleProviders,
} from './subtitles/index.ts'

/** The dependencies of use cases that read media files, start media programs or ask a metadata provider. */
export type MediaServices = Readonly<{
  /** The folders that a media file must lie in. */
  getLibraryPaths: GetLibraryPaths
  mediaTools: MediaTools
  /** Renders pictures in other sizes. */
  images: Images
  /** The providers of metadata. */
  metadata: MetadataProviders
  /** The enabled plugins; the workers start and stop it. */
  plugins: PluginHost
  /** Limits the archives of plugins that are unpacked at the same time. */
  pluginInstallations: Semaphore
  /** The threads that read media files; started by the first scan. */
  readers: ReaderPool
  segments: SegmentServer
  /** Pictures of the time lines of films. */
  trickplay: TrickplayStore
  /** Subtitles embedded in films. */
  subtitles: EmbeddedSubtitleReader
  /** The plugins that find subtitles. */
  subtitleProviders: ListSubtitleProviders
  /** Waveforms of audiobooks for players. */
  waveforms: Waveforms
  /** Closes all of the above in reverse order of opening; idempotent. Later calls wait for the first one. */
  close(): Promise<void>
}>

/**
 * Opens the services for media files on open core services, which must be closed after them. Kills programs that a dead process of this
 * data directory left behind.
 */
export async function createMediaServices(core: Omit<CoreServices, 'close'>): Promise<MediaServices> {
  const { config, clock, log, db, events, outbound } = core
  // A process that is killed between starting a program and the program's request for the death signal leaves an orphan.
  const orphans = killOrphans({ dataDirectory: config.dataDirectory, log })
  if (orphans > 0) log.notice({ count: orphans }, 'ended programs that a killed process left behind')
  await using opened = new AsyncDisposableStack()
  const getLibraryPaths = createGetLibraryPaths({ db })
  const mediaTools = createMediaTools({ config, log })
  const readers = createReaderPool()
  opened.defer(loggedClose(log, 'file readers', () => readers.close()))
  const images = createImages({ config, log, clock, mediaTools })
  opened.defer(loggedClose(log, 'pictures', () => images.close()))
  const trickplay = createTrickplayStore({ config, log, clock, db, images })
  opened.defer(loggedClose(log, 'pictures of time lines', () => trickplay.close()))
  const plugins = createPluginHost({ config, clock, log, db, events, outbound })
  opened.defer(loggedClose(log, 'plugins', () => plugins.stop()))
  const otherSources = () => plugins.providers('metadata-provider')
  const metadata = createMetadataProviders({ config, db, clock, outbound, otherSources })
  opened.defer(loggedClose(log, 'metadata providers', () => metadata.close()))
  const segments = createSegmentServer({ config, log, clock, db, mediaTools })
  opened.defer(loggedClose(log, 'segment encoders', () => segments.close()))
  const subtitles = createEmbeddedSubtitleReader({ config, log, clock, mediaTools })
  opened.defer(loggedClose(log, 'subtitles', () => subtitles.close()))
  const waveforms = createWaveforms({ config, log, clock, mediaTools })
  opened.defer(loggedClose(log, 'waveforms', () => waveforms.close()))
  const close = closeOnce(opened)
  return Object.freeze({
    getLibraryPaths,
    mediaTools,
    images,
    trickplay,
    metadata,
    plugins,
    pluginInstallations: createInstallationPermits(),
    readers,
    segments,
    subtitles,
    subtitleProviders: () => plugins.providers('subtitle-provider'),
    waveforms,
    close,
  })
}
