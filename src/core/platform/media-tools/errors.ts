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
    doc: 'ffprobe does not recognise a file, or the file holds no picture, no sound or no duration; it is listed with its reason.',
  },
  tool_failed: {
    kind: 'failed',
    title: 'Media tool failed',
    doc: 'ffmpeg or ffprobe was killed, ran too long or printed too much.',
  },
})
