import type { FileHandle } from 'node:fs/promises'
import type { FastifyRequest } from 'fastify'
import { computeFileStreamNeeds } from '../../core/playback-limits/index.ts'

/**
 * Refuses a file that needs more bandwidth than the profile has left, and closes it then.
 * @throws AppError `StreamLimitExceeded`
 */
export async function requireBandwidthForFile(
  { playAt }: Pick<FastifyRequest, 'playAt'>,
  { handle, durationSeconds }: { handle: FileHandle; durationSeconds: number | null },
): Promise<void> {
  if (playAt === null) return
  try {
    const { size } = await handle.stat()
    await playAt(async () => computeFileStreamNeeds({ bitrate: null, sizeBytes: size, durationSeconds }))
  } catch (error) {
    await handle.close()
    throw error
  }
}
