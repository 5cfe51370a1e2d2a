import { defineErrors } from '../platform/errors/index.ts'

export const musicErrors = defineErrors({
  artist_not_found: {
    kind: 'not_found',
    title: 'Artist not found',
    doc: 'No artist has exactly this name; upper and lower case do not matter, spaces do.',
  },
  album_not_found: {
    kind: 'not_found',
    title: 'Album not found',
    doc: 'No album has exactly this title, or none of the artist that the query names.',
  },
  track_not_found: { kind: 'not_found', title: 'Track not found', doc: 'No track has this id.' },
})
