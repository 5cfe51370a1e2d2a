import type { OneAlbum } from '../api-types.d.ts'
import { Poster } from '../cards/poster.tsx'
import { useReply } from '../data/use-reply.ts'
import { PageFrame } from '../frame/page-frame.tsx'
import { texts } from '../messages/language.ts'
import { PlaceLink } from '../places/place-link.tsx'
import { useSpot } from '../places/use-spot.ts'
import { enqueueSongs, playSongs } from './music-player.ts'
import { clockTime, songsOf, type AlbumFacts } from './songs.ts'
import { TrackList } from './track-list.tsx'

type Props = { title: string; artist: string; entry: number; version: number }

/** An album with its tracks. */
export function AlbumPage({ title, artist, entry, version }: Props) {
  const query = artist === '' ? '' : `?${new URLSearchParams({ artist })}`
  const reply = useReply<OneAlbum>(`/api/v1/music/albums/${encodeURIComponent(title)}${query}`, version)
  const album = reply.data?.album
  useSpot(entry, album !== undefined)
  return (
    <PageFrame title={album?.name ?? title} hasBack reply={reply} empty="">
      {album !== undefined && (
        <>
          <Head album={album} />
          <TrackList album={album} onPlay={(id) => playFrom(album, id)} />
        </>
      )}
    </PageFrame>
  )
}

function playFrom(album: AlbumFacts, id: string): void {
  const songs = songsOf(album)
  playSongs(
    songs,
    songs.findIndex((song) => song.id === id),
  )
}

function Head({ album }: { album: AlbumFacts }) {
  const { name, artist, album_art_url: picture } = album
  const songs = songsOf(album)
  return (
    <div class="item">
      <Poster title={name} url={picture} srcset={null} sizes="(max-width: 480px) 40vw, 260px" isSquare />
      <div class="item-text">
        <PlaceLink to={{ page: 'artist', name: artist }} class="quiet-link">
          {artist}
        </PlaceLink>
        <p class="facts" id="album-facts">
          {factsOf(album)}
        </p>
        <div class="item-actions">
          <button class="primary" id="play" type="button" onClick={() => playSongs(songs, 0)}>
            {texts.play}
          </button>
          <button class="quiet" id="play-shuffled" type="button" onClick={() => playShuffled(songs.length, album)}>
            {texts.playShuffled}
          </button>
          <button class="quiet" id="enqueue" type="button" onClick={() => enqueueSongs(songs)}>
            {texts.addToQueue}
          </button>
        </div>
      </div>
    </div>
  )
}

/** Any song may be the first. */
function playShuffled(count: number, album: AlbumFacts): void {
  playSongs(songsOf(album), Math.floor(Math.random() * count), { isShuffled: true })
}

function factsOf({ year, genres = [], track_count: count, tracks }: AlbumFacts): string {
  const seconds = tracks.reduce((sum, track) => sum + (track.duration_secs ?? 0), 0)
  return [year, texts.songs(count), seconds > 0 ? clockTime(seconds) : null, ...genres]
    .filter((fact) => fact !== null)
    .join(' · ')
}
