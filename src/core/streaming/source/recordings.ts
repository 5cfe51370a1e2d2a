/** Containers that can be read from any byte position. */
const TRANSPORT_STREAMS = new Set(['ts', 'm2ts', 'mts'])

/** Containers of recordings, whose clock may jump. */
export const RECORDING_CONTAINERS = [...TRANSPORT_STREAMS, 'mpg', 'vob'] as const
const RECORDINGS: ReadonlySet<string> = new Set(RECORDING_CONTAINERS)

/** Returns whether the clock of such a file may jump. The video of such files is read completely before streaming. */
export function isRecording(container: string | null): boolean {
  return RECORDINGS.has(container ?? '')
}

/** Returns whether reading may begin at any byte. */
export function isTransportStream(container: string | null): boolean {
  return TRANSPORT_STREAMS.has(container ?? '')
}
