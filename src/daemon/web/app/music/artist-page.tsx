import { useMemo, useState } from 'preact/hooks'
import type { AlbumList, OneArtist } from '../api-types.d.ts'
import { Poster } from '../cards/poster.tsx'
import { fetchReply } from '../data/replies.ts'
import { useReply } from '../data/use-reply.ts'
import { PageFrame } from '../frame/page-frame.tsx'
import { Grid } from '../grid/grid.tsx'
import { texts } from '../messages/language.ts'
import { listOf } from '../places/place.ts'
import { PlaceLink } from '../places/place-link.tsx'
import { useSpot } from '../places/use-spot.ts'
import { albumRows } from './music-rows.ts'
import { playSongs } from './music-player.ts'
import { songsOf } from './songs.ts'

/** The largest page that the server sends. */
const MAX_ALBUMS = 100

type Props = { name: string; entry: number; version: number }

/** An artist with the albums. */
export function ArtistPage({ name, entry, version }: Props) {
  const reply = useReply<OneArtist>(`/api/v1/music/artists/${encodeURIComponent(name)}`, version)
  const pages = useMemo(() => albumRows(name), [name, version])
  // Drawn again when albums arrive.
  void pages.version.value
  const total = pages.total()
  if (total === undefined) pages.want(0, 1)
  const artist = reply.data?.artist
  useSpot(entry, artist !== undefined && total !== undefined)
  return (
    <PageFrame title={artist?.name ?? name} hasBack reply={reply} empty="">
      {artist !== undefined && <Head artist={artist} />}
      {total !== undefined && total > 0 && <Grid key={name} pages={pages} total={total} isSquare />}
    </PageFrame>
  )
}

function Head({ artist }: { artist: OneArtist['artist'] }) {
  const { name, image_url: picture, album_count: albums, track_count: tracks, genres = [] } = artist
  const [problem, setProblem] = useState('')
  async function play(isShuffled: boolean): Promise<void> {
    try {
      setProblem('')
      const query = new URLSearchParams({ artist: name, limit: String(MAX_ALBUMS) })
      const reply = await fetchReply<AlbumList>(`/api/v1/music/albums?${query}`)
      const songs = reply.albums.flatMap((album) => songsOf(album))
      playSongs(songs, isShuffled ? Math.floor(Math.random() * songs.length) : 0, { isShuffled })
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
    }
  }
  return (
    <div class="item artist">
      <Poster title={name} url={picture} srcset={null} sizes="200px" isSquare />
      <div class="item-text">
        <p class="facts" id="artist-facts">
          {[texts.albums(albums), texts.songs(tracks), ...genres].join(' · ')}
        </p>
        <div class="item-actions">
          {albums > 0 && (
            <>
              <button class="primary" id="play" type="button" onClick={() => void play(false)}>
                {texts.play}
              </button>
              <button class="quiet" id="play-shuffled" type="button" onClick={() => void play(true)}>
                {texts.playShuffled}
              </button>
            </>
          )}
          <PlaceLink to={listOf('', { words: name, kind: 'tracks' })} class="quiet-link">
            {texts.showAll(texts.kinds.tracks)}
          </PlaceLink>
        </div>
        <p class="problem" role="alert">
          {problem}
        </p>
      </div>
    </div>
  )
}
