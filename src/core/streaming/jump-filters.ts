import { secondsText } from './segment-timeline.ts'
import type { StreamJob } from './stream-job.ts'

/** The filter that takes the jumps of the file's clock out of the times of frames or sound; none where there are no jumps. */
export function jumpFilters(filter: 'setpts' | 'asetpts', jumps: StreamJob['source']['jumps']): string[] {
  if (jumps.length === 0) return []
  const before = jumps.map((jump) => `gt(T,${secondsText(jump.atMicroseconds)})*${secondsText(jump.byMicroseconds)}`)
  // The filter cuts off what is less than a unit.
  return [`${filter}='PTS-round((${before.join('+')})/TB)'`]
}
