import { defineErrors } from '../platform/errors/index.ts'

export const musicErrors = defineErrors({
  artist_not_found: {
    kind: 'not_found',
    title: 'Artist not found',
    doc: 'No artist has exactly this name; names are compared without regard to case, but with their spaces.',
  },
  album_not_found: {
    kind: 'not_found',
    title: 'Album not found',
    doc: 'No album has exactly this title, or the artist of the query has no such album.',
  },
  track_not_found: { kind: 'not_found', title: 'Track not found', doc: 'No track has this id.' },
})
