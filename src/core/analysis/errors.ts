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
  trickplay_disk_full: {
    kind: 'busy',
    title: 'Not enough free disk space for the pictures of the time line',
    doc: 'The sprite or the BIF file is made at the first request, and the free space is below hls.min_disk_space_bytes; repeat the request after Retry-After. The grids need no space.',
  },
  chapter_picture_not_found: {
    kind: 'not_found',
    title: 'Picture of the chapter not found',
    doc: 'The item has no chapter with this number, or no video.',
  },
  markers_invalid: {
    kind: 'invalid',
    title: 'These markers cannot be stored',
    doc: 'A marker begins before 0, ends before its beginning or after the end of the film, or a type occurs twice, or the item has no film. `message` has the reason.',
  },
  marker_not_found: {
    kind: 'not_found',
    title: 'No such marker',
    doc: 'The item has no marker of this type.',
  },
})
