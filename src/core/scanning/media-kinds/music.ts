import { parseMusicFolder, parseTrackName, sortTitle } from '../../naming/index.ts'
import { mediaFileKind } from '../../platform/files/index.ts'
import { albumNfoFacts } from './album-nfo.ts'
import type { FileDescription, Identification, MediaKind, PlannedFile } from './media-kind.ts'
import { toMusicTags, musicFactsFromNames } from './music-tags.ts'

/** Music: every audio file is an item, described by its tags, or by the names of file and folders if tags are missing. */
export const musicKind: MediaKind = {
  // Photos are album covers, and `album.nfo` describes albums.
  fileKinds: ['audio', 'photo', 'sidecar'],
  // Broader than the names of disc folders; the plan decides which folders are discs.
  innerFolders: { names: /^\s*(?:cd|dvd|dis[ck]|vol|part|digital media)/i, kinds: ['sidecar'] },
  planFolder({ pathInsideRoot, names, above = [] }) {
    const files = new Map<string, PlannedFile>()
    const own = names.filter((name) => name.toLowerCase() === 'album.nfo')
    const isDisc = parseMusicFolder(pathInsideRoot).disc !== null
    const sidecars = own.length > 0 || !isDisc ? own : above.filter((name) => name.toLowerCase() === '../album.nfo')
    for (const name of names) {
      if (mediaFileKind(name) !== 'audio') continue
      files.set(name, {
        as: 'audio',
        identification: identify(pathInsideRoot, name),
        groups: [],
        role: null,
        sidecars,
      })
    }
    // Covers belong to albums, which are not items: one row per folder instead of one per track (`music_covers`).
    return { files, companions: [], group: null }
  },
  describe({ identification }, facts, local): FileDescription {
    const tags = facts?.tags ?? null
    const album = albumNfoFacts(local, tags)
    const knownYear = tags?.year ?? album.year ?? identification.year
    if (tags === null) {
      return {
        identification: { ...identification, year: knownYear },
        groups: [],
        nameSource: 'file',
        localMetadata: album.metadata,
      }
    }
    const { title, titleSort } = tags
    const name = title ?? identification.name
    const sorted = titleSort ?? (title === null ? identification.sortTitle : sortTitle(title))
    const metadata = musicFactsFromNames(identification.metadata, tags)
    return {
      identification: { ...identification, name, sortTitle: sorted, year: knownYear, metadata },
      groups: [],
      nameSource: title === null ? 'file' : 'local',
      localMetadata: { ...album.metadata, ...toMusicTags(tags) },
    }
  },
}

/** Identifies a song by names alone, under the keys of tags, which take precedence. */
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
