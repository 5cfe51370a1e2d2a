import type { FastifyRequest } from 'fastify'
import { getItem } from '../../core/catalogue/index.ts'
import type { SigningServices } from '../../core/services.ts'
import { computeFileStreamNeeds } from '../../core/playback-limits/index.ts'

/**
 * Refuses the file of an item that needs more bandwidth than the profile has left.
 * @throws AppError `StreamLimitExceeded`, `media_item_not_found`
 */
export async function requireBandwidthForItem(
  services: Pick<SigningServices, 'db'>,
  { playAt }: Pick<FastifyRequest, 'playAt'>,
  itemId: string,
): Promise<void> {
  if (playAt === null) return
  await playAt(async () => {
    const { fileSeconds, ...file } = await getItem(services, itemId)
    return computeFileStreamNeeds({ ...file, durationSeconds: fileSeconds })
  })
}
