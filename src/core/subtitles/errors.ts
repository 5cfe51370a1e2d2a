import { defineErrors } from '../platform/errors/index.ts'

export const subtitleErrors = defineErrors({
  subtitle_not_found: {
    kind: 'not_found',
    title: 'Subtitle track not found',
    doc: 'The item has no text subtitles with this number: there are none, they are bitmaps, or their file no longer exists.',
  },
  subtitle_unavailable: {
    kind: 'unavailable',
    title: 'Subtitles are not available now',
    doc: 'Subtitles inside a film could not be extracted: the file is damaged, the disk is full, or too many extractions are running. The file is tried again after a minute.',
  },
  subtitle_in_progress: {
    kind: 'busy',
    title: 'Subtitles are being extracted',
    doc: 'Extracting the subtitles of a very large film takes longer than a minute and continues; repeat the request after Retry-After.',
  },
  subtitle_provider_not_found: {
    kind: 'not_found',
    title: 'Subtitle provider not found',
    doc: 'No enabled plugin has this name, or the id of the subtitles is malformed.',
  },
  subtitle_provider_failed: {
    kind: 'unavailable',
    title: 'A subtitle provider does not answer',
    doc: 'The plugin that was asked for subtitles does not run, threw an error, or answered too late.',
  },
  subtitle_download_invalid: {
    kind: 'failed',
    title: 'Not a subtitle',
    doc: 'The answer of a plugin is not a subtitle text in a known format; nothing was stored.',
  },
  subtitle_limit: {
    kind: 'conflict',
    title: 'Too many downloaded subtitles',
    doc: 'An item has 50 downloaded subtitles or 16 MiB of them, or the account has downloaded 50 MiB; an administrator can remove some.',
  },
  subtitle_too_large: {
    kind: 'invalid',
    title: 'Subtitle file too large',
    doc: 'A subtitle file beside a film is larger than 16 MiB.',
  },
})
