import { defineErrors } from '../platform/errors/index.ts'

export const analysisErrors = defineErrors({
  trickplay_not_found: {
    kind: 'not_found',
    title: 'No pictures of the time line',
    doc: 'The item has no pictures of its time line: none were made yet, its file has changed since, or they were removed to save space.',
  },
  trickplay_picture_not_found: {
    kind: 'not_found',
    title: 'Picture of the time line not found',
    doc: 'The set of pictures of this item has no picture or file with this number.',
  },
  chapter_picture_not_found: {
    kind: 'not_found',
    title: 'Picture of the chapter not found',
    doc: 'The item has no chapter with this number, or no video.',
  },
})
