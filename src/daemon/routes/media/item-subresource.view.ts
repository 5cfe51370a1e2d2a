import type { MissingEpisodes, SimilarItem } from '../../../core/catalogue/index.ts'
import type { SigningServices } from '../../../core/services.ts'
import type { MediaRows } from './media-rows.ts'

/** Suggestions with posters, in the same order. */
export async function similarItemsView(
  rows: MediaRows,
  services: Pick<SigningServices, 'db' | 'artworkCache' | 'signer'>,
  similar: readonly SimilarItem[],
) {
  const shown = await rows.rowsOf(
    services,
    similar.map(({ item }) => item),
    // Suggestions contain no paths.
    { showPath: (path) => path },
  )
  return similar.map(({ item, score, reason }, index) => ({
    id: item.id,
    title: item.name,
    type: item.type,
    posterUrl: shown[index]?.poster_url ?? null,
    year: item.year,
    score,
    reason,
  }))
}

/** The missing episodes of a series. */
export function missingEpisodesView({ expected, existing, missing }: MissingEpisodes) {
  return {
    total_expected: expected,
    total_existing: existing,
    missing_episodes: missing.map(({ seasonNumber, episodeNumber }) => ({
      season_number: seasonNumber,
      episode_number: episodeNumber,
    })),
  }
}
