import type { FastifyRequest } from 'fastify'
import { variantBitRate, readPlaylist, type StreamFile } from '../../core/streaming/index.ts'
import type { SigningServices } from '../../core/services.ts'

/**
 * Refuses the playlist and the segments of a quality that needs more bandwidth than the profile has left. The signature of a job is that of all
 * its files, and their names are known: it is not enough that the master playlist leaves the quality out.
 * @throws AppError `StreamLimitExceeded`, `transcode_job_not_found`, `stream_file_not_found`
 */
export async function requireBandwidthForQuality(
  services: Pick<SigningServices, 'db' | 'config'>,
  { playAt }: Pick<FastifyRequest, 'playAt'>,
  { jobId, file }: { jobId: string; file: StreamFile },
): Promise<void> {
  if (playAt === null || (file.kind !== 'media' && file.kind !== 'segment')) return
  const { rendition } = file
  await playAt(async () => variantBitRate(await readPlaylist(services, { jobId, file: { kind: 'master' } }), rendition))
}
