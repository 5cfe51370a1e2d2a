import { z } from 'zod'
import { getItem } from '../../catalogue/index.ts'
import type { Database } from '../../platform/database/index.ts'
import { AppError, describeError } from '../../platform/errors/index.ts'
import type { Clock } from '../../platform/time/index.ts'
import { languageTag } from '../../tracks/index.ts'
import { decodeSubtitle } from '../decode-subtitle.ts'
import { subtitleErrors } from '../errors.ts'
import { detectSubtitleFormat, readCues } from '../formats/read-cues.ts'
import { listSubtitleTracks } from '../list-tracks.ts'
import { formatDownloadLocator, type SubtitleTrack } from '../subtitle-track.ts'
import { lockSubtitleDownloads, readDownloadUsage, selectDownloader, upsertDownloadedSubtitle } from './queries.ts'
import { DownloadId } from './search-subtitles.ts'
import type { ListSubtitleProviders } from './subtitle-provider.ts'

export type SubtitleDownload = {
  itemId: string
  provider: string
  downloadId: string
  /** Language as the client writes it. */
  language: string
  /** Shown beside the language; for example the name of the release. */
  title: string | null
  isHearingImpaired: boolean
  /** Who downloads it. */
  account: { id: string; isAdmin: boolean }
}

/** Clients time out after 15 s. */
const TIMEOUT_MILLISECONDS = 12_000
const MAX_DOWNLOADS_PER_ITEM = 50
/** Subtitles of a film take 100 KB. */
const MAX_BYTES_PER_ITEM = 16 * 1024 * 1024
const MAX_BYTES_PER_ACCOUNT = 50 * 1024 * 1024
const MAX_TITLE_CHARACTERS = 300

/** The plugin's protocol limits the size to 1 MiB. */
const TextReply = z.union([z.object({ text: z.string() }), z.object({ base64: z.base64() })])

/**
 * Downloads a text from an enabled provider and stores it for an item. It must have cues in a format that sidecar files may have too.
 * The same text of a provider is stored once; only the account that added it, and administrators, replace it and its description.
 * @returns the track
 * @throws AppError `media_item_not_found`, `subtitle_provider_not_found`, `subtitle_provider_failed`, `subtitle_download_invalid`,
 * `subtitle_limit`
 */
export async function downloadSubtitle(
  services: { db: Database; clock: Clock; subtitleProviders: ListSubtitleProviders },
  { itemId, provider: name, downloadId, language, title, isHearingImpaired, account }: SubtitleDownload,
): Promise<SubtitleTrack> {
  const { db, clock, subtitleProviders } = services
  const item = await getItem(services, itemId)
  const provider = subtitleProviders().find((one) => one.name === name)
  if (provider === undefined || !DownloadId.safeParse(downloadId).success) {
    throw subtitleErrors.subtitle_provider_not_found()
  }
  const reply = await ask(() =>
    provider.ask('downloadSubtitle', { id: downloadId }, AbortSignal.timeout(TIMEOUT_MILLISECONDS)),
  )
  const parsed = TextReply.safeParse(reply)
  if (!parsed.success) throw subtitleErrors.subtitle_download_invalid({ message: 'the answer has no text' })
  const tag = languageTag(language)
  const bytes = 'text' in parsed.data ? Buffer.from(parsed.data.text) : Buffer.from(parsed.data.base64, 'base64')
  const text = decodeSubtitle(bytes, tag)
  if ((await readCues(text)).length === 0) throw subtitleErrors.subtitle_download_invalid()
  const row = {
    itemId: item.id,
    accountId: account.id,
    provider: name,
    downloadId,
    language: tag,
    format: detectSubtitleFormat(text),
    title:
      title
        ?.replaceAll(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ')
        .trim()
        .slice(0, MAX_TITLE_CHARACTERS) || null,
    isHearingImpaired,
    text: Buffer.from(text),
    now: clock.now(),
  }
  const id = await db.transaction(async (connection) => {
    await lockSubtitleDownloads(connection, row)
    const existing = await selectDownloader(connection, row)
    if (existing !== undefined && existing.addedBy !== account.id && !account.isAdmin) return existing.id
    checkUsage(await readDownloadUsage(connection, row), row.text.length)
    return upsertDownloadedSubtitle(connection, row)
  })
  const track = (await listSubtitleTracks(services, item)).find(({ path }) => path === formatDownloadLocator(id))
  if (track === undefined) throw subtitleErrors.subtitle_not_found()
  return track
}

/** @throws AppError `subtitle_limit` */
function checkUsage(
  { count, itemBytes, accountBytes }: Awaited<ReturnType<typeof readDownloadUsage>>,
  bytes: number,
): void {
  if (count >= MAX_DOWNLOADS_PER_ITEM || itemBytes + bytes > MAX_BYTES_PER_ITEM) throw subtitleErrors.subtitle_limit()
  if (accountBytes + bytes > MAX_BYTES_PER_ACCOUNT) {
    throw subtitleErrors.subtitle_limit({ message: 'the account has reached the limit of downloaded subtitles' })
  }
}

async function ask(asking: () => Promise<unknown>): Promise<unknown> {
  try {
    return await asking()
  } catch (error) {
    if (error instanceof AppError || error instanceof DOMException) {
      throw subtitleErrors.subtitle_provider_failed({ message: describeError(error), cause: error })
    }
    throw error
  }
}
