import { z } from 'zod'
import { Amount, Flag, listOf, part, Text } from '../lenient-schemas.ts'

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

const genres = listOf(z.object({ name: z.string(), count: Amount }), MAX_GENRES)

const Credit = listOf(z.object({ name: Text, artist: z.object({ id: Mbid, name: z.string() }) }), MAX_ARTISTS)

const GROUP = {
  title: z.string(),
  'primary-type': Text,
  'secondary-types': listOf(z.string(), 20),
  'first-release-date': PartialDay,
  'artist-credit': Credit,
  genres,
}

/** A release group: all editions of an album. */
export const MusicReleaseGroup = z.object({ id: Mbid, ...GROUP })

export type MusicReleaseGroup = z.infer<typeof MusicReleaseGroup>

export const SearchReply = z.object({ 'release-groups': listOf(MusicReleaseGroup, 25) })

/** A release: one edition. */
export const MusicRelease = z.object({
  id: Mbid,
  title: z.string(),
  date: PartialDay,
  'artist-credit': Credit,
  genres,
  'release-group': MusicReleaseGroup,
  'cover-art-archive': part({ front: Flag }),
})

export type MusicRelease = z.infer<typeof MusicRelease>

export const Artist = z.object({
  id: Mbid,
  name: z.string(),
  type: Text,
  country: Text,
  'life-span': part({ begin: PartialDay, end: PartialDay }),
  genres,
})

export const CoverIndex = z.object({ images: listOf(z.object({ front: Flag, approved: Flag }), MAX_IMAGES) })
