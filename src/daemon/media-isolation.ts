import type { Services } from '../core/services.ts'

/** Says what this system does not take from the programs that read media; a container that allows more, or setpriv, changes it. */
export function announceIsolation({ log, mediaTools }: Pick<Services, 'log' | 'mediaTools'>): void {
  const { isWithoutNetwork, isWithoutRights } = mediaTools.isolation()
  const kept = [...(isWithoutNetwork ? [] : ['the network']), ...(isWithoutRights ? [] : ['the rights of the server'])]
  if (kept.length > 0)
    log.notice({ kept }, `media tools keep ${kept.join(' and ')}, because this system allows nothing else`)
}
