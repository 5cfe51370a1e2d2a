import type { MediaRequest } from '../media-request.ts'

/** The requested title. */
export type RequestedTitle = Pick<
  MediaRequest,
  'type' | 'catalogId' | 'title' | 'tvdbId' | 'seasonNumber' | 'episodeNumber'
>

/**
 * A program that downloads titles and reports when they are imported. Its methods throw errors of any type, whose messages describe in one
 * sentence the program's answer; signals limit their time.
 */
export type Acquirer = {
  /**
   * Requests the download of a title. A title that is already present or requested is accepted.
   * @returns the TVDB id that was found; null when the program has none
   */
  add(title: RequestedTitle, signal: AbortSignal): Promise<{ tvdbId: number | null }>
  /** Whether the requested title is completely imported. */
  isImported(title: RequestedTitle, signal: AbortSignal): Promise<boolean>
}

export type AcquirerName = 'radarr' | 'sonarr'
