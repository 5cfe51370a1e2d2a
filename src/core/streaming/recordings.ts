/** Containers of which a part can be read from any byte on. */
const TRANSPORT_STREAMS = new Set(['ts', 'm2ts', 'mts'])

/** Containers of recordings, whose clock may jump. */
export const RECORDING_CONTAINERS = [...TRANSPORT_STREAMS, 'mpg', 'vob'] as const
const RECORDINGS: ReadonlySet<string> = new Set(RECORDING_CONTAINERS)

/** Whether the clock of such a file may jump: its picture is read through before it is streamed. */
export function isRecording(container: string | null): boolean {
  return RECORDINGS.has(container ?? '')
}

/** Whether reading may begin at any byte. */
export function isTransportStream(container: string | null): boolean {
  return TRANSPORT_STREAMS.has(container ?? '')
}
