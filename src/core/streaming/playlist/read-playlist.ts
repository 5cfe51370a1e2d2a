import { join } from 'node:path'
import type { Config } from '../../platform/config/index.ts'
import type { Database } from '../../platform/database/index.ts'
import { AppError } from '../../platform/errors/index.ts'
import { openInsideRoot } from '../../platform/files/index.ts'
import { streamingErrors } from '../errors.ts'
import { jobDirectory, transcodesDirectory } from '../job/job-directory.ts'
import { addQueryToAddresses, markDefaultSubtitle } from './playlist-text.ts'
import { findTranscodeJob } from '../job/queries.ts'
import { MASTER_PLAYLIST_NAME, mediaPlaylistName, type StreamFile } from '../job/segment-name.ts'
import { isTranscodeJobId } from '../job/transcode-job.ts'

/**
 * Returns the text of a job's master playlist or of one rendition's playlist, with a query added to all addresses if one is given.
 * @param input.queryOf returns the query for a job: for the requested job, or for the job of a further file of its film
 * @param input.subtitle index of the track that this viewer's player shows automatically
 * @throws AppError `transcode_job_not_found`, `stream_file_not_found`, `path_outside_root`
 */
export async function readPlaylist(
  { db, config }: { db: Database; config: Pick<Config, 'dataDirectory'> },
  input: {
    jobId: string
    file: Extract<StreamFile, { kind: 'master' | 'media' }>
    queryOf?: (jobId: string) => string
    subtitle?: number | undefined
  },
): Promise<string> {
  const job = isTranscodeJobId(input.jobId) ? await findTranscodeJob(db, input.jobId) : undefined
  if (job === undefined) throw streamingErrors.transcode_job_not_found()
  const name = input.file.kind === 'master' ? MASTER_PLAYLIST_NAME : mediaPlaylistName(input.file.rendition)
  const stored = await readInside(transcodesDirectory(config), join(jobDirectory(config, job.id), name))
  const { subtitle } = input
  const text = subtitle === undefined || input.file.kind !== 'master' ? stored : markDefaultSubtitle(stored, subtitle)
  const { queryOf } = input
  return queryOf === undefined ? text : addQueryToAddresses(text, (partJobId) => queryOf(partJobId ?? job.id))
}

async function readInside(root: string, path: string): Promise<string> {
  try {
    await using handle = await openInsideRoot(root, path)
    return await handle.readFile('utf8')
  } catch (error) {
    const isMissing = error instanceof AppError && error.code === 'file_not_found'
    throw isMissing ? streamingErrors.stream_file_not_found({ cause: error }) : error
  }
}
