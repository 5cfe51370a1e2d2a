import { useRef, useState } from 'preact/hooks'
import { Poster } from '../cards/poster.tsx'
import { texts } from '../messages/language.ts'
import { PlaceLink } from '../places/place-link.tsx'
import {
  changeRepeat,
  isPlaying,
  next,
  place,
  previous,
  problem,
  queue,
  seek,
  stop,
  toggle,
  toggleShuffle,
} from './music-player.ts'
import { presentSong, type Queue, type Song } from './queue.ts'
import { QueueList } from './queue-list.tsx'
import { clockTime } from './songs.ts'

const PANEL_ID = 'music-queue'

/** What is played, at the bottom of the page while the views above it change. */
export function MiniPlayer() {
  const { value } = queue
  const song = value === undefined ? undefined : presentSong(value)
  return (
    <>
      {problem.value !== '' && (
        <p class="problem" role="alert" id="music-problem">
          {problem.value}
        </p>
      )}
      {value !== undefined && song !== undefined && <Player queue={value} song={song} />}
    </>
  )
}

function Player({ queue: present, song }: { queue: Queue; song: Song }) {
  const [isOpen, setIsOpen] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const close = (): void => {
    setIsOpen(false)
    opener.current?.focus()
  }
  return (
    <section class="mini-player" aria-label={texts.nowPlaying}>
      {isOpen && <QueueList id={PANEL_ID} queue={present} onClose={close} />}
      <Position />
      <div class="mini-bar">
        <SongLink song={song} />
        <div class="mini-buttons">
          <Command id="music-previous" label={texts.previous} sign="⏮" onClick={previous} />
          <Command
            id="music-toggle"
            label={isPlaying.value ? texts.pause : texts.play}
            sign={isPlaying.value ? '⏸' : '▶'}
            onClick={toggle}
          />
          <Command id="music-next" label={texts.next} sign="⏭" onClick={next} />
        </div>
        <div class="mini-buttons">
          <button
            class="quiet"
            id="music-shuffle"
            type="button"
            aria-pressed={present.isShuffled}
            onClick={toggleShuffle}
          >
            {texts.shuffle}
          </button>
          <button class="quiet" id="music-repeat" type="button" onClick={changeRepeat}>
            {texts.repeats[present.repeat]}
          </button>
          <button
            class="quiet"
            id="music-queue-open"
            type="button"
            ref={opener}
            aria-expanded={isOpen}
            aria-controls={isOpen ? PANEL_ID : undefined}
            onClick={() => setIsOpen(!isOpen)}
          >
            {texts.queue}
          </button>
          <Command id="music-stop" label={texts.stopMusic} sign="✕" onClick={() => stop()} />
        </div>
      </div>
    </section>
  )
}

function SongLink({ song: { title, artist, album, albumArtist, pictureUrl } }: { song: Song }) {
  return (
    <PlaceLink to={{ page: 'album', title: album, artist: albumArtist }} class="mini-song">
      <Poster title={album} url={pictureUrl} srcset={null} sizes="56px" />
      <span class="mini-texts">
        <span class="title" id="music-title">
          {title}
        </span>
        <span class="facts" id="music-artist">
          {artist}
        </span>
      </span>
    </PlaceLink>
  )
}

/** The buttons are signs that every font has; their names are said. */
function Command({ id, label, sign, onClick }: { id: string; label: string; sign: string; onClick: () => void }) {
  return (
    <button class="quiet sign" id={id} type="button" aria-label={label} title={label} onClick={onClick}>
      <span aria-hidden="true">{`${sign}\u{FE0E}`}</span>
    </button>
  )
}

function Position() {
  const { seconds, durationSeconds } = place.value
  const times = `${clockTime(seconds)} / ${clockTime(durationSeconds)}`
  return (
    <div class="mini-position">
      <input
        id="music-position"
        type="range"
        min={0}
        max={Math.max(durationSeconds, seconds)}
        step={1}
        value={seconds}
        aria-label={texts.position}
        aria-valuetext={times}
        onInput={({ currentTarget: { value } }) => seek(Number(value))}
      />
      <span class="facts" aria-hidden="true">
        {times}
      </span>
    </div>
  )
}
