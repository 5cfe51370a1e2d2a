import { findFileStamps, getItem, listItemParts, type MediaItemDetail } from '../catalogue/index.ts'
import type { Config } from '../platform/config/index.ts'
import type { Connection, Database } from '../platform/database/index.ts'
import type { EventBus } from '../platform/events/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { previewLadder, streamingErrors, type DeviceProfileName } from '../streaming/index.ts'
import { downloadFiles, sizeOf } from './download-files.ts'
import type { Download } from './download.ts'
import { downloadErrors } from './errors.ts'
import { countUnfinished, findDownloadRow, upsertDownload } from './queries.ts'

const MAX_UNFINISHED = 100
const RETRY_SECONDS = 60

/** A film with what a download of it depends on. */
export type DownloadSource = { item: MediaItemDetail; profile: DeviceProfileName; stamp: string }

/** The profiles whose rungs are offered: that of viewers first, whose segments a download then shares. */
const PROFILES: readonly DeviceProfileName[] = ['web', 'tv-4k']

/**
 * A film in a quality, as it is now.
 * @throws AppError `media_item_not_found`, `not_transcodable`, `quality_unknown`
 */
export async function findSource(
  { db }: { db: Connection },
  { itemId, quality }: { itemId: string; quality: string },
): Promise<DownloadSource> {
  const item = await getItem({ db }, itemId)
  const parts = await listItemParts({ db }, item.id)
  const qualities = new Set<string>()
  for (const profile of PROFILES) {
    const ladder = await previewLadder({ db }, { item, parts }, { profile })
    if (ladder === null) throw streamingErrors.not_transcodable()
    if (ladder.some(({ id }) => id === quality))
      return { item, profile, stamp: await stampOf({ db }, [item, ...parts]) }
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

/**
 * Asks for a film in a quality. A file that is there or is being made is used, unless the film has changed since.
 * @throws AppError as `findSource`, `too_many_downloads`
 */
export async function requestDownload(
  services: Services,
  { itemId, quality }: { itemId: string; quality: string },
): Promise<Download> {
  const { db, clock, config, events } = services
  const { item, stamp: sourceStamp } = await findSource(services, { itemId, quality })
  const known = await findDownloadRow(db, { itemId: item.id, quality })
  const isStale = known?.status === 'ready' && (await sizeOf(downloadFiles(config, known.id).film)) === 0
  if (known === undefined && (await countUnfinished(db)) >= MAX_UNFINISHED) {
    throw downloadErrors.too_many_downloads({ retryAfterSeconds: RETRY_SECONDS })
  }
  const download = await upsertDownload(db, { itemId: item.id, quality, sourceStamp, isStale, now: clock.now() })
  if (download.status === 'waiting') events.publish('download.requested', { downloadId: download.id })
  return download
}
