import type { Config } from '../../platform/config/index.ts'
import type { Outbound } from '../../platform/outbound/index.ts'
import type { MediaRequest } from '../media-request.ts'
import type { Acquirer, AcquirerName } from './acquirer.ts'
import { openRadarr } from './radarr.ts'
import { openSonarr } from './sonarr.ts'

/** The acquirer of each type of request. */
export const ACQUIRER_OF_TYPE = { movie: 'radarr', series: 'sonarr' } as const satisfies Record<
  MediaRequest['type'],
  AcquirerName
>

/** The acquirer for titles of this type; undefined when its address or key is not configured. */
export function openAcquirer(
  services: { config: Config; outbound: Outbound },
  type: MediaRequest['type'],
): Acquirer | undefined {
  return type === 'movie' ? openRadarr(services) : openSonarr(services)
}
