import { texts } from '../messages/language.ts'
import { queue } from './music-player.ts'
import { presentSong } from './queue.ts'
import { clockTime, discsOf, type AlbumFacts, type TrackRow } from './songs.ts'

type Props = { album: AlbumFacts; onPlay: (id: string) => void }

/** The tracks of an album, by disc. Arrows lead from track to track. */
export function TrackList({ album, onPlay }: Props) {
  return (
    <div id="tracks" onKeyDown={walk}>
      {discsOf(album.tracks).map(({ number, tracks }) => (
        <section key={number ?? 0}>
          {number !== undefined && <h3>{texts.disc(number)}</h3>}
          <ol class="songs">
            {tracks.map((track) => (
              <Track key={track.id ?? track.name} track={track} albumArtist={album.artist} onPlay={onPlay} />
            ))}
          </ol>
        </section>
      ))}
      {album.tracks_truncated && <p class="facts">{texts.moreSongs(album.track_count - album.tracks.length)}</p>}
    </div>
  )
}

type TrackProps = { track: TrackRow; albumArtist: string; onPlay: (id: string) => void }

function Track({ track, albumArtist, onPlay }: TrackProps) {
  const { id, name, artist, track_number: number, duration_secs: seconds } = track
  const { value } = queue
  const isPresent = value !== undefined && presentSong(value)?.id === id
  return (
    <li>
      <button
        class="song"
        type="button"
        data-id={id}
        disabled={id === null}
        aria-current={isPresent ? 'true' : undefined}
        onClick={() => id !== null && onPlay(id)}
      >
        <span class="facts song-number">{number}</span>
        <span class="song-title" dir="auto">
          {name}
        </span>
        {artist !== null && artist !== albumArtist && (
          <span class="facts" dir="auto">
            {artist}
          </span>
        )}
        {seconds !== null && <span class="facts song-length">{clockTime(seconds)}</span>}
      </button>
    </li>
  )
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity }

function walk(event: KeyboardEvent): void {
  const step = STEPS[event.key]
  if (step === undefined || !(event.currentTarget instanceof HTMLElement)) return
  const songs = [...event.currentTarget.querySelectorAll<HTMLElement>('.song')]
  const from = songs.findIndex((song) => song === document.activeElement)
  event.preventDefault()
  songs[Math.min(Math.max(from + step, 0), songs.length - 1)]?.focus()
}
