import type { MediaItem } from '../../../core/catalogue/index.ts'
import type { NextEpisode, PlayedItem, UnfinishedItem } from '../../../core/playback/index.ts'
import { toIsoTimestamp } from '../../../core/platform/time/index.ts'
import type { MediaRow } from '../media/media.view.ts'
import type { RowTexts } from '../media/row-texts.ts'

/** List rows with the user's positions. */
export function continueWatchingView(
  { extend }: Pick<RowTexts, 'extend'>,
  rows: readonly MediaRow[],
  unfinished: readonly UnfinishedItem[],
) {
  return joinRows(rows, unfinished).map(({ row, entry: { item, state } }) =>
    extend(row, {
      media_item_id: item.id,
      position_ticks: state.positionTicks,
      duration_ticks: state.durationTicks,
      playback_status: state.status,
      metadata: metadataView(row, item),
    }),
  )
}

/** The most recently played items, finished or not. `updated_at` is the time of playback. */
export function recentlyWatchedView(rows: readonly MediaRow[], played: readonly PlayedItem[]) {
  return joinRows(rows, played).map(({ row, entry: { item, state, progress } }) =>
    Object.assign({}, row, {
      media_item_id: item.id,
      position_ticks: state.positionTicks,
      duration_ticks: state.durationTicks,
      playback_status: state.status,
      progress_percent: Math.round(progress * 10_000) / 100,
      updated_at: toIsoTimestamp(state.updatedAt),
      metadata: metadataView(row, item),
    }),
  )
}

/** Rows of the web client's history page. `id` is the parameter of `DELETE …/history/{id}`. */
export function historyView(rows: readonly MediaRow[], played: readonly PlayedItem[]) {
  return joinRows(rows, played).map(({ row, entry: { item, state, progress } }) => ({
    id: item.id,
    progress,
    updated_at: toIsoTimestamp(state.updatedAt),
    media: row,
  }))
}

/** The next episodes. They have not been played: both tick counts are 0, and `duration` is their length. */
export function nextUpView(rows: readonly MediaRow[], episodes: readonly NextEpisode[]) {
  return joinRows(rows, episodes).map(({ row, entry: { item, seriesId, seriesName } }) =>
    Object.assign({}, row, {
      media_item_id: item.id,
      series_id: seriesId,
      series_name: seriesName,
      series_title: seriesName,
      position_ticks: 0,
      duration_ticks: 0,
      metadata: { ...metadataView(row, item), series_name: seriesName },
    }),
  )
}

function joinRows<Entry>(rows: readonly MediaRow[], entries: readonly Entry[]): { row: MediaRow; entry: Entry }[] {
  return rows.flatMap((row, index) => {
    const entry = entries[index]
    return entry === undefined ? [] : [{ row, entry }]
  })
}

/**
 * A client reads all facts from `metadata`, under its own keys (`season`, `episode`, `duration_seconds`). They are added to the metadata of
 * the item.
 */
function metadataView(row: MediaRow, item: MediaItem) {
  return {
    title: item.name,
    year: row.year,
    genres: row.genres,
    runtime: row.runtime,
    overview: row.overview,
    ...item.metadata,
    season: row.season_number,
    episode: row.episode_number,
    duration_seconds: row.duration,
  }
}
