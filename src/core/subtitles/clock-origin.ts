import { z } from 'zod'
import type { MediaItem } from '../catalogue/index.ts'

/** The zero of a streaming job, which is the first video frame on the clock of the file, and the start of that clock. */
export type StreamClock = Readonly<{ videoStartMicroseconds: number; containerStartMicroseconds: number }>

const StoredStart = z.object({ containerStartSeconds: z.number() })

/**
 * Returns the zero of the target clock, in microseconds on the clock of the track. Embedded subtitles share the clock of the file, which
 * may begin at any value. A separate subtitle file counts from the beginning of the file, which players show as zero.
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
