import { defineErrors } from '../platform/errors/index.ts'

export const subtitleErrors = defineErrors({
  subtitle_not_found: {
    kind: 'not_found',
    title: 'Subtitle track not found',
    doc: 'The item has no text subtitles under this number: there are none, they are pictures, or their file has gone.',
  },
  subtitle_unavailable: {
    kind: 'unavailable',
    title: 'Subtitles are not available now',
    doc: 'Subtitles inside a film could not be read out: the file is damaged, the disk is full, or too many are being read. A file is tried again after a minute.',
  },
  subtitle_in_progress: {
    kind: 'busy',
    title: 'Subtitles are being read out',
    doc: 'Reading the subtitles out of a very large film takes longer than a minute and goes on; ask again after Retry-After.',
  },
  subtitle_too_large: {
    kind: 'invalid',
    title: 'Subtitle file too large',
    doc: 'A subtitle file beside a film is larger than any text can be (16 MiB).',
  },
})
