import type { Services } from '../core/services.ts'

/**
 * Logs which sandbox restrictions of the media programs this system does not support. A container with more privileges, or setpriv, adds
 * them.
 */
export function logMissingIsolation({ log, mediaTools }: Pick<Services, 'log' | 'mediaTools'>): void {
  const { isWithoutNetwork, isWithoutRights } = mediaTools.isolation()
  const kept = [...(isWithoutNetwork ? [] : ['the network']), ...(isWithoutRights ? [] : ['the rights of the server'])]
  if (kept.length > 0)
    log.notice({ kept }, `media tools keep ${kept.join(' and ')}, because this system allows nothing else`)
}
