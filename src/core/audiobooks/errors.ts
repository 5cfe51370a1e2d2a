import { defineErrors } from '../platform/errors/index.ts'

export const audiobookErrors = defineErrors({
  audiobook_not_found: {
    kind: 'not_found',
    title: 'Audiobook not found',
    doc: 'No audiobook has this id; items of other types are not found.',
  },
  audiobook_progress_not_found: {
    kind: 'not_found',
    title: 'No progress for this audiobook',
    doc: 'The user has not listened to this audiobook yet.',
  },
  audiobook_part_not_found: {
    kind: 'not_found',
    title: 'No such part of this audiobook',
    doc: 'The book has fewer files than `part` says, which counts from 0.',
  },
  waveform_unavailable: {
    kind: 'not_found',
    title: 'No waveform for this audiobook',
    doc: 'The audio of the book could not be measured: a file is missing or unreadable, ffmpeg is missing, or the disk is full.',
  },
})
