import type { MediaRequest } from '../../../core/requests/index.ts'

/** The title with season and episode: `Dark S01E03`. */
export function describeTitle({ title, seasonNumber, episodeNumber }: MediaRequest): string {
  if (seasonNumber === null) return title
  const episode = episodeNumber === null ? '' : `E${String(episodeNumber).padStart(2, '0')}`
  return `${title} S${String(seasonNumber).padStart(2, '0')}${episode}`
}
