import { defineErrors } from '../errors/index.ts'

export const imageErrors = defineErrors({
  picture_unreadable: {
    kind: 'not_found',
    title: 'Picture cannot be shown',
    doc: 'The file is no picture of a known kind, it is damaged, or it is too large to be opened safely.',
  },
  heic_decoder_missing: {
    kind: 'failed',
    title: 'HEIC pictures cannot be shown here',
    doc: 'The picture is in the HEIC format, which neither heif-convert (Debian: libheif-examples) nor ffmpeg decodes on this server; the original can still be downloaded.',
  },
  too_many_pictures: {
    kind: 'busy',
    title: 'Too many pictures at once',
    doc: 'More pictures are waiting to be made than the server accepts; the same request succeeds a little later.',
  },
})
