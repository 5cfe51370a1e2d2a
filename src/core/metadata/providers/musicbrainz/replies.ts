import { z } from 'zod'
import { LenientNumber, LenientFlag, lenientList, lenientObject, LenientText } from '../lenient-schemas.ts'

/** Schemas of the replies of MusicBrainz (version 2 of its API, as JSON) and of the Cover Art Archive. */

const MAX_ARTISTS = 20
const MAX_GENRES = 50
const MAX_IMAGES = 200

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

/** A MusicBrainz id, validated because it becomes part of a URL. */
const Mbid = z.string().regex(UUID)

/** `1997-05-21`, `1997-05` or `1997`; else null. */
const PartialDay = z
  .unknown()
  .transform((value) => (typeof value === 'string' && /^(?!0000)\d{4}(?:-\d{2}){0,2}$/.test(value) ? value : null))
  .prefault(null)

const genres = lenientList(z.object({ name: z.string(), count: LenientNumber }), MAX_GENRES)

const Credit = lenientList(
  z.object({ name: LenientText, artist: z.object({ id: Mbid, name: z.string() }) }),
  MAX_ARTISTS,
)

const GROUP = {
  title: z.string(),
  'primary-type': LenientText,
  'secondary-types': lenientList(z.string(), 20),
  'first-release-date': PartialDay,
  'artist-credit': Credit,
  genres,
}

/** A release group: all editions of an album. */
export const MusicReleaseGroup = z.object({ id: Mbid, ...GROUP })

export type MusicReleaseGroup = z.infer<typeof MusicReleaseGroup>

export const SearchReply = z.object({ 'release-groups': lenientList(MusicReleaseGroup, 25) })

/** A release: one edition. */
export const MusicRelease = z.object({
  id: Mbid,
  title: z.string(),
  date: PartialDay,
  'artist-credit': Credit,
  genres,
  'release-group': MusicReleaseGroup,
  'cover-art-archive': lenientObject({ front: LenientFlag }),
})

export type MusicRelease = z.infer<typeof MusicRelease>

export const MusicArtist = z.object({
  id: Mbid,
  name: z.string(),
  type: LenientText,
  country: LenientText,
  'life-span': lenientObject({ begin: PartialDay, end: PartialDay }),
  genres,
})

export const CoverIndex = z.object({
  images: lenientList(z.object({ front: LenientFlag, approved: LenientFlag }), MAX_IMAGES),
})
