import { z } from 'zod'
import type { MediaItem } from '../catalogue/index.ts'

/** Where a job of streaming has its zero: the first video frame, on the clock of the file; and where that clock begins. */
export type StreamClock = Readonly<{ videoStartMicroseconds: number; containerStartMicroseconds: number }>

const StoredStart = z.object({ containerStartSeconds: z.number() })

/**
 * What the wanted clock shows as zero, in microseconds on the clock that a track's times are on. Subtitles inside a file share its clock,
 * which may begin anywhere; who writes a file beside it counts from the moment at which players show zero, which is the file's beginning.
 */
export function originMicroseconds(
  { metadata }: Pick<MediaItem, 'metadata'>,
  { source, clock }: { source: 'embedded' | 'external'; clock: StreamClock | null },
): number {
  if (clock === null) return source === 'external' ? 0 : containerStart(metadata)
  return clock.videoStartMicroseconds - (source === 'external' ? clock.containerStartMicroseconds : 0)
}

function containerStart(metadata: MediaItem['metadata']): number {
  return (StoredStart.safeParse(metadata['source']).data?.containerStartSeconds ?? 0) * 1_000_000
}
