import { createHash } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { startPeriodicTask, type PeriodicTask } from '../../platform/concurrency/index.ts'
import type { Config } from '../../platform/config/index.ts'
import type { Database } from '../../platform/database/index.ts'
import { describeError } from '../../platform/errors/index.ts'
import { openInsideRoot } from '../../platform/files/index.ts'
import type { Logger } from '../../platform/logging/index.ts'
import type { MediaTools } from '../../platform/media-tools/index.ts'
import { jobDirectory, writeFileAtomically } from '../job/job-directory.ts'
import { selectTranscodeJobs } from '../job/queries.ts'
import { defaultAudioTrack, Loudness, readStreamPlan, type StreamPlan } from '../job/stream-plan.ts'

/** A film is decoded a hundred times faster than real time; the limit ends a hanging process. */
const TIMEOUT_SECONDS = 2 * 3600

/** The lowest processor priority. */
const NICENESS = 19

const POLL_MILLISECONDS = 60_000
/** Number of recently used jobs to examine per interval. */
const RECENT_JOBS = 20

/** Output of ffmpeg's loudnorm filter; silence is `-inf`. */
const Printed = z.object({
  input_i: z.coerce.number(),
  input_lra: z.coerce.number(),
  input_tp: z.coerce.number(),
  input_thresh: z.coerce.number(),
})

type Places = { config: Pick<Config, 'dataDirectory'> }
type Measured = Pick<StreamPlan, 'source'>

/**
 * Returns the stored loudness of a file's played audio track; null if it has not been measured, or the file has no audio or is silent.
 * The value is shared by all jobs of the same file.
 */
export async function readStoredLoudness({ config }: Places, job: Measured): Promise<StreamPlan['loudness']> {
  const name = nameOf(job)
  if (name === undefined) return null
  try {
    const stored: unknown = JSON.parse(await readFile(join(folderOf(config), name), 'utf8'))
    return Loudness.nullable().safeParse(stored).data ?? null
  } catch {
    return null
  }
}

/**
 * Measures the loudness of the whole played audio track (EBU R 128) and stores the result.
 * @returns false if the measurement failed; a later call may try again
 * @throws AppError `tool_missing`, and the errors of opening the file; the signal's reason when aborted
 */
export async function measureLoudness(
  { config, mediaTools }: Places & { mediaTools: Pick<MediaTools, 'encode'> },
  job: Measured,
  signal: AbortSignal,
): Promise<boolean> {
  const [name, track] = [nameOf(job), defaultAudioTrack(job)]
  if (name === undefined || track === undefined) return false
  const { source } = job
  await (await openInsideRoot(source.root, source.path)).close()
  const filter = ['-map', `0:${track.streamIndex}`, '-vn', '-sn', '-dn', '-af', 'loudnorm=print_format=json']
  const result = await mediaTools.encode(
    // The filter prints its result only at this log level.
    { input: source.path, output: '/dev/null', before: ['-loglevel', 'info'], after: [...filter, '-f', 'null'] },
    { timeoutSeconds: TIMEOUT_SECONDS, niceness: NICENESS, signal },
  )
  signal.throwIfAborted()
  const printed = result.isComplete ? readPrinted(result.stderrTail) : undefined
  if (printed === undefined) return false
  await mkdir(folderOf(config), { recursive: true, mode: 0o700 })
  await writeFileAtomically(folderOf(config), { name, text: JSON.stringify(printed) })
  return true
}

/**
 * Measures recently watched files that have no stored loudness, one at a time, while the daemon runs and `hls.loudness` is on. The next
 * start of the item uses the result.
 */
export function startLoudnessMeasurement(
  services: { config: Config; db: Database; log: Logger; mediaTools: Pick<MediaTools, 'encode'> },
  { pollMilliseconds = POLL_MILLISECONDS }: { pollMilliseconds?: number } = {},
): Pick<PeriodicTask, 'stop'> {
  if (!services.config.options['hls.loudness']) return { stop: () => Promise.resolve() }
  const tried = new Set<string>()
  const measureRecent = async (signal: AbortSignal): Promise<void> => {
    for (const { id } of await selectTranscodeJobs(services.db, RECENT_JOBS)) {
      const job = await readStreamPlan(jobDirectory(services.config, id))
      const name = job === undefined ? undefined : nameOf(job)
      if (job === undefined || name === undefined || tried.has(name)) continue
      tried.add(name)
      if ((await readStoredLoudness(services, job)) === null) await measureLoudness(services, job, signal)
    }
  }
  return startPeriodicTask({
    intervalMilliseconds: pollMilliseconds,
    work: measureRecent,
    onError: (error) => services.log.warning({ reason: describeError(error) }, 'measuring loudness failed'),
  })
}

function readPrinted(text: string): StreamPlan['loudness'] | undefined {
  const [json] = /\{[^{}]*"input_i"[^{}]*\}/.exec(text) ?? []
  if (json === undefined) return undefined
  const printed = Printed.safeParse(JSON.parse(json)).data
  // Silence has no loudness; the stored null prevents another measurement.
  if (printed === undefined) return null
  const { input_i: integratedLufs, input_lra: rangeLu, input_tp: truePeakDbtp, input_thresh: thresholdLufs } = printed
  return { integratedLufs, rangeLu, truePeakDbtp, thresholdLufs }
}

function folderOf({ dataDirectory }: Pick<Config, 'dataDirectory'>): string {
  return join(dataDirectory, 'cache', 'loudness')
}

/** Identifies a track by path, size, modification time and stream index; undefined without audio. */
function nameOf(job: Measured): string | undefined {
  const track = defaultAudioTrack(job)
  if (track === undefined) return undefined
  const { path, sizeBytes, modifiedAtNanoseconds } = job.source
  const identity = [path, sizeBytes, modifiedAtNanoseconds, track.streamIndex].join('\n')
  return `${createHash('sha256').update(identity).digest('hex').slice(0, 32)}.json`
}
