import type { StreamPlan } from '../job/stream-plan.ts'

/** Clock rate of a transport stream. */
export const STREAM_TICKS_PER_SECOND = 90_000

/** Clock of the stream at the start of a film: 10 s, because decoding begins before presentation. */
const FILM_BEGIN_TICKS = 900_000

/** Returns the clock of the transport stream at the first frame of a job, in ticks, before wrapping. */
export function streamClockOrigin({ startMicroseconds }: Pick<StreamPlan, 'startMicroseconds'>): number {
  return FILM_BEGIN_TICKS + (startMicroseconds * STREAM_TICKS_PER_SECOND) / 1_000_000
}
