import { findFileStamps, getItem, listItemParts, type MediaItemDetail } from '../catalogue/index.ts'
import type { Config } from '../platform/config/index.ts'
import type { Connection, Database } from '../platform/database/index.ts'
import type { EventBus } from '../platform/events/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { previewLadder, streamingErrors, type DeviceProfileName } from '../streaming/index.ts'
import { computeFileStreamNeeds, requireBandwidth } from '../playback-limits/index.ts'
import { downloadFiles, fileSizeOrZero } from './download-files.ts'
import type { Download } from './download.ts'
import { downloadErrors } from './errors.ts'
import {
  countUnfinishedDownloads,
  findDownloadRow,
  insertDownloadRequester,
  lockDownloadQueue,
  upsertDownload,
} from './queries.ts'

const MAX_UNFINISHED = 100
const MAX_UNFINISHED_OF_ACCOUNT = 10
const RETRY_SECONDS = 60

/** A film with what a download of it depends on. */
export type DownloadSource = {
  item: MediaItemDetail
  profile: DeviceProfileName
  stamp: string
  /** The average bit rate in bits per second. */
  bitrate: number
}

/** The profiles whose rungs are offered: that of viewers first, whose segments a download then shares. */
const PROFILES: readonly DeviceProfileName[] = ['web', 'tv-4k']

/**
 * A film in a quality, as it is now.
 * @throws AppError `media_item_not_found`, `not_transcodable`, `quality_unknown`
 */
export async function findDownloadSource(
  { db }: { db: Connection },
  { itemId, quality }: { itemId: string; quality: string },
): Promise<DownloadSource> {
  const item = await getItem({ db }, itemId)
  const parts = await listItemParts({ db }, item.id)
  const qualities = new Set<string>()
  for (const profile of PROFILES) {
    const ladder = await previewLadder({ db }, { item, parts }, { profile })
    if (ladder === null) throw streamingErrors.not_transcodable()
    const rung = ladder.find(({ id }) => id === quality)
    if (rung !== undefined) {
      const bitrate = rung.averageBitrate ?? rung.bitrate
      return { item, profile, bitrate, stamp: await stampOf({ db }, [item, ...parts]) }
    }
    for (const { id } of ladder) qualities.add(id)
  }
  throw downloadErrors.quality_unknown({ details: { qualities: [...qualities] } })
}

async function stampOf({ db }: { db: Connection }, files: readonly MediaItemDetail[]): Promise<string> {
  const ids = files.map(({ id }) => id)
  const stamps = await findFileStamps({ db }, ids)
  return ids
    .map((id) => {
      const stamp = stamps.get(id)
      return stamp === undefined ? id : `${id} ${stamp.sizeBytes} ${stamp.modifiedAtNanoseconds}`
    })
    .join('\n')
}

type Services = {
  db: Database
  clock: Clock
  config: Pick<Config, 'dataDirectory'>
  events: Pick<EventBus, 'publish'>
}

type Request = {
  itemId: string
  quality: string
  accountId: string
  /** The bandwidth of the account; null: no limit. What exceeds it could not be fetched. */
  maxKbps: number | null
}

/**
 * Asks for a film in a quality. A file that is there or is being made is used, unless the film has changed since.
 * @throws AppError as `findDownloadSource`, `too_many_downloads`, `StreamLimitExceeded`
 */
export async function requestDownload(
  services: Services,
  { itemId, quality, accountId, maxKbps }: Request,
): Promise<Download> {
  const { db, clock, config, events } = services
  const { item, stamp: sourceStamp, bitrate } = await findDownloadSource(services, { itemId, quality })
  requireBandwidth(computeFileStreamNeeds({ bitrate, sizeBytes: null, durationSeconds: null }), maxKbps)
  const wanted = { itemId: item.id, quality }
  const download = await db.transaction(async (connection) => {
    await lockDownloadQueue(connection)
    const known = await findDownloadRow(connection, wanted)
    const isStale = known?.status === 'ready' && (await fileSizeOrZero(downloadFiles(config, known.id).film)) === 0
    const row = await upsertDownload(connection, { ...wanted, sourceStamp, isStale, now: clock.now() })
    if (row.status === 'waiting' || row.status === 'running')
      await requireRoom(connection, { accountId, besides: wanted })
    await insertDownloadRequester(connection, { downloadId: row.id, accountId })
    return row
  })
  if (download.status === 'waiting') events.publish('download.requested', { downloadId: download.id })
  return download
}

/** One account must not fill the queue: others would wait for weeks of encoding. */
async function requireRoom(
  connection: Connection,
  queue: Parameters<typeof countUnfinishedDownloads>[1],
): Promise<void> {
  const { ofAll, ofAccount } = await countUnfinishedDownloads(connection, queue)
  const limit = ofAccount >= MAX_UNFINISHED_OF_ACCOUNT ? MAX_UNFINISHED_OF_ACCOUNT : MAX_UNFINISHED
  if (ofAll >= MAX_UNFINISHED || ofAccount >= MAX_UNFINISHED_OF_ACCOUNT) {
    throw downloadErrors.too_many_downloads({ details: { limit }, retryAfterSeconds: RETRY_SECONDS })
  }
}
