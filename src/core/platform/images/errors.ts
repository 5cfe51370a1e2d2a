import { defineErrors } from '../errors/index.ts'

export const imageErrors = defineErrors({
  picture_unreadable: {
    kind: 'not_found',
    title: 'Picture cannot be shown',
    doc: 'The file is not a picture in a supported format, is damaged, or exceeds the size limits.',
  },
  heic_decoder_missing: {
    kind: 'failed',
    title: 'HEIC pictures cannot be shown here',
    doc: 'The picture is in the HEIC format, which neither heif-convert (Debian: libheif-examples) nor ffmpeg can decode on this server; the original can still be downloaded.',
  },
  too_many_pictures: {
    kind: 'busy',
    title: 'Too many pictures at once',
    doc: 'The queue of pictures to render is full; repeat the request later.',
  },
})
