import { useLayoutEffect, useRef } from 'preact/hooks'
import { texts } from '../messages/language.ts'
import { playAt } from './music-player.ts'
import { songAt, type Queue } from './queue.ts'

/** A queue may have all songs of an artist; the next ones are enough. */
const SHOWN_SONGS = 100

type Props = { id: string; queue: Queue; onClose: () => void }

/** The present song and the ones after it. */
export function QueueList({ id, queue, onClose }: Props) {
  const frame = useRef<HTMLDivElement>(null)
  const places = queue.order.map((_, at) => at).slice(queue.at, queue.at + SHOWN_SONGS)
  const hidden = queue.order.length - queue.at - places.length
  useLayoutEffect(() => frame.current?.querySelector('button')?.focus(), [])
  return (
    <div
      class="music-queue"
      id={id}
      ref={frame}
      role="group"
      aria-label={texts.queue}
      onKeyDown={({ key }) => key === 'Escape' && onClose()}
    >
      <ol class="songs">
        {places.map((at) => {
          const song = songAt(queue, at)
          return (
            <li key={`${at} ${song?.id}`}>
              <button
                class="song"
                type="button"
                aria-current={at === queue.at ? 'true' : undefined}
                onClick={() => playAt(at)}
              >
                <span class="song-title" dir="auto">
                  {song?.title}
                </span>
                <span class="facts" dir="auto">
                  {song?.artist}
                </span>
              </button>
            </li>
          )
        })}
      </ol>
      {hidden > 0 && <p class="facts">{texts.moreSongs(hidden)}</p>}
    </div>
  )
}
