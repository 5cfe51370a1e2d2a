import { parseMusicFolder, parseTrackName, sortTitle } from '../../naming/index.ts'
import { mediaKindOf } from '../../platform/files/index.ts'
import { albumSaid } from './album-nfo.ts'
import type { Description, Identification, MediaKind, PlannedFile } from './media-kind.ts'
import { musicTagsOf, namesBesideTags } from './music-tags.ts'

/** Music: every audio file is an item; tags say what it is, and where they are missing the names of file and folders. */
export const musicKind: MediaKind = {
  // Photos are the covers of albums, and `album.nfo` tells about them.
  fileKinds: ['audio', 'photo', 'sidecar'],
  // Wider than the names of disc folders: which are some is said by the plan.
  innerFolders: { names: /^\s*(?:cd|dvd|dis[ck]|vol|part|digital media)/i, kinds: ['sidecar'] },
  planFolder({ pathInsideRoot, names, above = [] }) {
    const files = new Map<string, PlannedFile>()
    const own = names.filter((name) => name.toLowerCase() === 'album.nfo')
    const isDisc = parseMusicFolder(pathInsideRoot).disc !== null
    const sidecars = own.length > 0 || !isDisc ? own : above.filter((name) => name.toLowerCase() === '../album.nfo')
    for (const name of names) {
      if (mediaKindOf(name) !== 'audio') continue
      files.set(name, {
        as: 'audio',
        identification: identify(pathInsideRoot, name),
        groups: [],
        role: null,
        sidecars,
      })
    }
    // Covers belong to albums, which are no items: one row a folder, not one a track (`music_covers`).
    return { files, beside: [], group: null }
  },
  describe({ identification }, facts, local): Description {
    const tags = facts?.tags ?? null
    const album = albumSaid(local, tags)
    const yearSaid = tags?.year ?? album.year ?? identification.year
    if (tags === null) {
      return {
        identification: { ...identification, year: yearSaid },
        groups: [],
        nameSource: 'file',
        localMetadata: album.metadata,
      }
    }
    const { title, titleSort } = tags
    const name = title ?? identification.name
    const sorted = titleSort ?? (title === null ? identification.sortTitle : sortTitle(title))
    const metadata = namesBesideTags(identification.metadata, tags)
    return {
      identification: { ...identification, name, sortTitle: sorted, year: yearSaid, metadata },
      groups: [],
      nameSource: title === null ? 'file' : 'local',
      localMetadata: { ...album.metadata, ...musicTagsOf(tags) },
    }
  },
}

/** What names alone say; the keys are those of tags, which come over them. */
function identify(pathInsideRoot: string, fileName: string): Identification {
  const { title, artist, track, disc } = parseTrackName(fileName)
  const place = parseMusicFolder(pathInsideRoot)
  const facts = {
    title,
    artist: artist ?? place.artist,
    album: place.album,
    album_artist: place.artist,
    track_number: track,
    disc_number: disc ?? place.disc,
  }
  const known = Object.entries(facts).filter(([, value]) => value !== null)
  return {
    type: 'audio',
    name: title,
    sortTitle: sortTitle(title),
    year: place.year,
    metadata: Object.fromEntries(known),
  }
}
