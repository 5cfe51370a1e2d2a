import { createFilmPlayer } from '../player/film-player.js'
import { callAsGuest } from './guest-api.js'

/**
 * The player of films of a link.
 * @param {HTMLDialogElement} dialog
 * @param {(id: string) => string} addressOf the address of an item of the link
 */
export function createGuestFilm(dialog, addressOf) {
  const part = (id) => dialog.querySelector(`#${id}`)
  const source = {
    facts: (item) => Promise.resolve(item.facts),
    stream: (item) => callAsGuest(`${addressOf(item.id)}/transcode`, {}),
  }
  const player = createFilmPlayer(dialog, { source })

  part('player-close').addEventListener('click', () => dialog.close())
  dialog.addEventListener('close', () => player.stop())

  return {
    video: player.video,
    /** The link has ended: what is buffered is not played. */
    end(reason) {
      player.stop()
      player.showProblem(reason)
    },
    async play({ id, title }) {
      player.prepare(title)
      if (!dialog.open) dialog.showModal()
      try {
        const facts = await callAsGuest(`${addressOf(id)}/playback`)
        if (dialog.open) await player.start(itemOf(facts))
      } catch (error) {
        player.showProblem(error.message)
      }
    },
  }
}

/** The item as the player reads it. Guests are not told the path; its ending says what the file is. */
function itemOf(facts) {
  const { item_id: id, stream_url: address, container, streams, part_count: count } = facts
  return {
    id,
    stream_url: address,
    path: `file.${container ?? ''}`,
    streams,
    facts: { ...facts, parts: Array.from({ length: count }) },
  }
}
