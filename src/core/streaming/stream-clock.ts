import type { StreamJob } from './stream-job.ts'

/** A transport stream counts time in these. */
export const STREAM_TICKS_PER_SECOND = 90_000

/** Where that clock stands when a film begins: at 10 s, since decoding begins before. */
const FILM_BEGIN_TICKS = 900_000

/** Where the clock of the transport stream stands at the first frame of a job, in ticks, before it wraps. */
export function streamClockOrigin({ startMicroseconds }: Pick<StreamJob, 'startMicroseconds'>): number {
  return FILM_BEGIN_TICKS + (startMicroseconds * STREAM_TICKS_PER_SECOND) / 1_000_000
}
