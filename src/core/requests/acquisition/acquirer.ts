import type { Config } from '../../platform/config/index.ts'
import type { Outbound } from '../../platform/outbound/index.ts'
import type { MediaRequest } from '../media-request.ts'
import { openRadarr } from './radarr.ts'
import { openSonarr } from './sonarr.ts'

/** What is asked for, in the terms of document 1's request. */
export type Title = Pick<MediaRequest, 'type' | 'catalogId' | 'title' | 'tvdbId' | 'seasonNumber' | 'episodeNumber'>

/**
 * A program that fetches titles and tells when they are there. Its methods throw errors of any kind, whose messages say in one
 * sentence what the program said or did not say; signals bound their time.
 */
export type Acquirer = {
  /**
   * Has the title fetched. One that it has already, or fetches already, is accepted too.
   * @returns what it found out about the title; null when it keeps no such number
   */
  add(title: Title, signal: AbortSignal): Promise<{ tvdbId: number | null }>
  /** Whether all of what was asked for has been imported. */
  isImported(title: Title, signal: AbortSignal): Promise<boolean>
}

export type AcquirerName = 'radarr' | 'sonarr'

/** Who fetches which type of request. */
export const ACQUIRER_OF_TYPE = { movie: 'radarr', series: 'sonarr' } as const satisfies Record<
  MediaRequest['type'],
  AcquirerName
>

/** The program that fetches titles of this type, or undefined when no address and key of it are configured. */
export function openAcquirer(
  services: { config: Config; outbound: Outbound },
  type: MediaRequest['type'],
): Acquirer | undefined {
  return type === 'movie' ? openRadarr(services) : openSonarr(services)
}
