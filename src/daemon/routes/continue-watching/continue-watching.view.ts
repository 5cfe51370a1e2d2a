import type { UnfinishedItem } from '../../../core/playback/index.ts'
import { mediaRowView } from '../media/media.view.ts'

/**
 * An item with where the user left it. One client reads everything that it shows from `metadata`, under names of its own
 * (`season`, `episode`, `duration_seconds`): they stand beside what the item's metadata hold (document 4, section 3).
 */
export function continueWatchingView({ item, state }: UnfinishedItem) {
  const row = mediaRowView(item)
  return {
    ...row,
    media_item_id: item.id,
    position_ticks: state.positionTicks,
    duration_ticks: state.durationTicks,
    playback_status: state.status,
    metadata: {
      title: item.name,
      year: row.year,
      genres: row.genres,
      runtime: row.runtime,
      overview: row.overview,
      ...item.metadata,
      season: row.season_number,
      episode: row.episode_number,
      duration_seconds: row.duration,
    },
  }
}
