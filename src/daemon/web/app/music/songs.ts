import type { OneAlbum } from '../api-types.d.ts'
import type { Song } from './queue.ts'

export type AlbumFacts = OneAlbum['album']
export type TrackRow = AlbumFacts['tracks'][number]

/** The songs of an album that can be played. */
export function songsOf({ tracks, name, artist, album_art_url: pictureUrl }: AlbumFacts): Song[] {
  return tracks.flatMap((track) => {
    if (track.id === null) return []
    const song = {
      id: track.id,
      title: track.name,
      artist: track.artist ?? artist,
      album: name,
      albumArtist: artist,
      pictureUrl,
      streamUrl: track.stream_url,
      durationSeconds: track.duration_secs,
    }
    return [song]
  })
}

/** Tracks of a disc; the number is undefined if the album has one disc. */
export type Disc = { number: number | undefined; tracks: readonly TrackRow[] }

export function discsOf(tracks: readonly TrackRow[]): Disc[] {
  const discs = new Map<number, TrackRow[]>()
  for (const track of tracks) {
    const number = track.disc_number ?? 1
    discs.set(number, [...(discs.get(number) ?? []), track])
  }
  return [...discs].map(([number, ofDisc]) => ({ number: discs.size === 1 ? undefined : number, tracks: ofDisc }))
}

/** `1:05`, `1:02:03`. */
export function clockTime(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60]
  const last = String(whole % 60).padStart(2, '0')
  return hours === 0 ? `${minutes}:${last}` : `${hours}:${String(minutes).padStart(2, '0')}:${last}`
}
