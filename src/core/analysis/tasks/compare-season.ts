import { getItem } from '../../catalogue/index.ts'
import type { Connection } from '../../platform/database/index.ts'
import { readFingerprint } from '../fingerprints/fingerprint.ts'
import { chooseMarkers } from '../markers/choose-markers.ts'
import type { Marker } from '../film/marker.ts'
import { markersFromChapters } from '../markers/markers-from-chapters.ts'
import { chooseAudioStream } from '../film-reading/film-streams.ts'
import { replaceDetectedMarkers, selectMarkers, type StoredMarker } from '../queries/markers.ts'
import { selectEpisodes, writeSeasonAnalysis, type ChangedSeason, type EpisodeRow } from '../queries/seasons.ts'
import { detectSeasonMarkers, type SeasonEpisode } from '../season/detect-season.ts'
import { creditsMarkers, type AnalysisServices } from './analyse-film.ts'

/** The markers of the episodes of a season; not stored yet. Episodes that keep their markers are left out. */
export type SeasonComparison = Readonly<{
  season: ChangedSeason
  markers: readonly Readonly<{ episode: EpisodeRow; markers: readonly Marker[] }>[]
  /** Episodes whose pictures could not be searched for credits. */
  failures: readonly Readonly<{ path: string; reason: string }>[]
}>

/** Longer seasons are compared in blocks of neighbouring episodes: their hashes and indexes take about 200 MiB. */
const MAX_HASHES = 1_500_000

/**
 * Compares the sound of the episodes of a season. Episodes without an outro that others share are searched for credits by their pictures.
 * @param input.isForced compares the whole season although most of it was compared before
 * @throws AppError `tool_missing`; the signal's reason when aborted
 */
export async function compareSeason(
  services: AnalysisServices,
  { season, isForced }: { season: ChangedSeason; isForced: boolean },
  signal: AbortSignal,
): Promise<SeasonComparison> {
  const { db } = services
  const rows = await selectEpisodes(db, season.seasonId)
  const stored = Map.groupBy(
    await selectMarkers(
      db,
      rows.map(({ itemId }) => itemId),
    ),
    ({ itemId }) => itemId,
  )
  const heard: { row: EpisodeRow; episode: SeasonEpisode }[] = []
  const silent: { row: EpisodeRow; chapters: SeasonEpisode['chapters'] }[] = []
  for (const row of rows) {
    const item = await getItem(services, row.itemId)
    const { stream } = chooseAudioStream(item, row.language)
    if (row.fingerprint === null || stream === null) {
      silent.push({ row, chapters: item.chapters })
      continue
    }
    const episode = {
      track: { path: row.path, streamIndex: stream.streamIndex },
      fingerprint: readFingerprint(row.fingerprint),
      durationSeconds: row.durationSeconds ?? Number.POSITIVE_INFINITY,
      chapters: item.chapters,
      known: row.isCompared && !isForced ? soundMarkers(stored.get(row.itemId) ?? []) : undefined,
    }
    heard.push({ row, episode })
  }
  const results: { episode: EpisodeRow; markers: readonly Marker[] }[] = []
  for (const block of blocksOf(heard)) {
    const episodes = block.map(({ episode }) => episode)
    const detected = await detectSeasonMarkers(services, episodes, signal)
    for (const [index, { row }] of block.entries()) {
      const markers = detected[index]
      if (markers !== undefined) results.push({ episode: row, markers })
    }
  }
  for (const { row, chapters } of silent) {
    results.push({ episode: row, markers: chooseMarkers({ ofChapters: markersFromChapters(chapters), ofSound: [] }) })
  }
  const markers: { episode: EpisodeRow; markers: readonly Marker[] }[] = []
  const failures: { path: string; reason: string }[] = []
  for (const { episode, markers: own } of results) {
    signal.throwIfAborted()
    if (own.some(({ type }) => type === 'outro')) {
      markers.push({ episode, markers: own })
      continue
    }
    const { markers: credits, result } = await creditsMarkers(services, episode, signal)
    if (result.outcome === 'failed') failures.push({ path: episode.path, reason: result.reason })
    markers.push({ episode, markers: [...own, ...credits] })
  }
  return { season, markers, failures }
}

/** Blocks of about equal length. */
function blocksOf<Heard extends { episode: SeasonEpisode }>(heard: readonly Heard[]): Heard[][] {
  const hashes = heard.reduce((sum, { episode }) => sum + episode.fingerprint.length, 0)
  const size = Math.ceil(heard.length / Math.max(1, Math.ceil(hashes / MAX_HASHES)))
  const blocks: Heard[][] = []
  for (let first = 0; first < heard.length; first += size) blocks.push(heard.slice(first, first + size))
  return blocks
}

/** Stores a comparison, in the transaction of the job's progress. */
export async function writeSeasonComparison(
  connection: Connection,
  { season, markers }: SeasonComparison,
  now: Date,
): Promise<void> {
  for (const { episode, markers: own } of markers)
    await replaceDetectedMarkers(connection, { file: episode, markers: own, now })
  await writeSeasonAnalysis(connection, { ...season, now })
}

/** Markers of an administrator are exact for one episode only; they are no template for others. */
function soundMarkers(stored: readonly StoredMarker[]): Marker[] {
  return stored.flatMap(({ type, startMilliseconds, endMilliseconds, source, confidence }) =>
    startMilliseconds === null || endMilliseconds === null || source !== 'sound'
      ? []
      : [{ type, startMilliseconds, endMilliseconds, source, confidence }],
  )
}
