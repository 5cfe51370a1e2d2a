import { basename } from 'node:path'
import { z } from 'zod'
import { getItem, type MediaItemDetail } from '../../catalogue/index.ts'
import type { Connection } from '../../platform/database/index.ts'
import { describeError } from '../../platform/errors/index.ts'
import { isJsonObject } from '../../platform/json/index.ts'
import type { Logger } from '../../platform/logging/index.ts'
import { languageTag } from '../../tracks/index.ts'
import type { ListSubtitleProviders, SubtitleProvider } from './subtitle-provider.ts'

/** A text that a provider has for an item. */
export type SubtitleCandidate = {
  provider: string
  /** The id for the download, at the provider. */
  downloadId: string
  /** BCP 47; `und` if unknown. */
  language: string
  releaseName: string | null
  format: string | null
  /** How it was found: `hash`, `title` … */
  matchedBy: string | null
  rating: number | null
  downloadCount: number | null
  isHearingImpaired: boolean
  framesPerSecond: number | null
}

export type SubtitleSearch = {
  candidates: SubtitleCandidate[]
  /** The names of the providers that gave no usable answer. */
  failed: string[]
  /** The number of enabled providers. */
  asked: number
}

/** Clients time out after 15 s. */
const TIMEOUT_MILLISECONDS = 12_000
const MAX_CANDIDATES = 100
const MAX_LANGUAGES = 20

const words = (most: number) =>
  z
    .unknown()
    .transform((value) =>
      typeof value === 'string'
        ? value
            .replaceAll(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ')
            .trim()
            .slice(0, most) || null
        : null,
    )
    .prefault(null)
const amount = z
  .unknown()
  .transform((value) => (typeof value === 'number' && Number.isFinite(value) ? value : null))
  .prefault(null)

export const DownloadId = z
  .string()
  .max(500)
  .regex(/^[^\p{C}]+$/u)

const CandidateReply = z.object({
  id: DownloadId,
  language: words(35),
  release_name: words(300),
  format: words(10),
  matched_by: words(50),
  rating: amount,
  download_count: amount,
  hearing_impaired: z
    .unknown()
    .transform((value) => value === true)
    .prefault(false),
  fps: amount,
})

/**
 * Asks all enabled providers for subtitles of an item, at the same time. If a provider fails, only its candidates are missing.
 * @param input.languages languages as the client writes them; empty: any language
 * @throws AppError `media_item_not_found`
 */
export async function searchSubtitles(
  services: { db: Connection; log: Logger; subtitleProviders: ListSubtitleProviders },
  { itemId, languages }: { itemId: string; languages: readonly string[] },
): Promise<SubtitleSearch> {
  const { log, subtitleProviders } = services
  const item = await getItem(services, itemId)
  const question = {
    ...(await describeItem(services, item)),
    languages: languages.slice(0, MAX_LANGUAGES).map((language) => languageTag(language)),
  }
  const signal = AbortSignal.timeout(TIMEOUT_MILLISECONDS)
  const answers = await Promise.all(
    subtitleProviders().map(async (provider) => {
      try {
        return { candidates: await askOne(provider, question, signal) }
      } catch (error) {
        log.warning({ provider: provider.name, reason: describeError(error) }, 'a search for subtitles failed')
        return { failed: provider.name }
      }
    }),
  )
  return {
    candidates: answers.flatMap(({ candidates = [] }) => candidates).slice(0, MAX_CANDIDATES),
    failed: answers.flatMap(({ failed }) => failed ?? []),
    asked: answers.length,
  }
}

async function askOne(provider: SubtitleProvider, question: object, signal: AbortSignal): Promise<SubtitleCandidate[]> {
  const reply = await provider.ask('searchSubtitles', question, signal)
  if (reply === null) return []
  if (!Array.isArray(reply)) throw new Error('its answer is no list')
  return reply.slice(0, MAX_CANDIDATES).flatMap((row: unknown) => {
    const parsed = CandidateReply.safeParse(row)
    if (!parsed.success) return []
    const { id, language, release_name, format, matched_by, rating, download_count, hearing_impaired, fps } =
      parsed.data
    return {
      provider: provider.name,
      downloadId: id,
      language: languageTag(language),
      releaseName: release_name,
      format,
      matchedBy: matched_by,
      rating,
      downloadCount: download_count,
      isHearingImpaired: hearing_impaired,
      framesPerSecond: fps,
    }
  })
}

/** The facts about an item that a provider needs. The folders of its file are left out for privacy. */
async function describeItem(services: { db: Connection }, item: MediaItemDetail): Promise<object> {
  const season = item.type === 'episode' && item.parentId !== null ? await getItem(services, item.parentId) : undefined
  const series = season?.parentId == null ? undefined : await getItem(services, season.parentId)
  const ids = item.metadata['external_ids']
  return {
    type: item.type,
    title: item.name,
    series_title: series?.name ?? null,
    season: item.seasonNumber,
    episode: item.episodeNumber,
    year: item.year,
    ids: isJsonObject(ids) ? ids : {},
    file_name: item.path === null ? null : basename(item.path),
    file_bytes: item.sizeBytes,
    duration_seconds: item.durationSeconds,
  }
}
