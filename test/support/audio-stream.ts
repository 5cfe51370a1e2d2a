import type { MediaStream } from '../../src/core/catalogue/index.ts'

/** An audio stream of an item: by default AAC in stereo without a language. */
export function audioStream(index: number, facts: Partial<MediaStream> = {}): MediaStream {
  return {
    id: `stream ${index}`,
    mediaItemId: 'item',
    index,
    type: 'audio',
    codec: 'aac',
    language: null,
    title: null,
    bitrate: null,
    width: null,
    height: null,
    channels: 2,
    isDefault: false,
    details: {},
    ...facts,
  }
}
