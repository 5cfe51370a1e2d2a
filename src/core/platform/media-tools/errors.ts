import { defineErrors } from '../errors/index.ts'

export const mediaToolErrors = defineErrors({
  tool_missing: {
    kind: 'unavailable',
    title: 'Media tools are missing',
    doc: 'ffmpeg or ffprobe cannot be started: it is not installed, not executable, or `media.ffmpeg` names another path.',
  },
  unreadable_media: {
    kind: 'invalid',
    title: 'File cannot be read as media',
    doc: 'ffprobe does not recognise a file, or the file has neither video nor audio, or no duration; the item is listed with the reason.',
  },
  tool_failed: {
    kind: 'failed',
    title: 'Media tool failed',
    doc: 'ffmpeg or ffprobe was killed, or exceeded its limit of time or output.',
  },
})
