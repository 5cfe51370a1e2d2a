import { createFullScreen } from '../player/full-screen.js'
import { listenToPlayerKeys } from '../player/keyboard.js'
import { createMenus } from '../player/menus.js'
import { createPlayer } from '../player/player.js'
import { createPreview } from '../player/preview.js'
import { createSkipButton } from '../player/skip-button.js'
import { skipMarkersOf } from '../player/skip-markers.js'
import { createTimeLine } from '../player/time-line.js'
import { callAsGuest } from './guest-api.js'

/**
 * The player of films of a link.
 * @param {HTMLDialogElement} dialog
 * @param {(id: string) => string} addressOf the address of an item of the link
 */
export function createGuestFilm(dialog, addressOf) {
  const part = (id) => dialog.querySelector(`#${id}`)
  const video = part('video')
  const preview = createPreview(part('preview'))
  const timeLine = createTimeLine(
    { frame: part('time-line'), input: part('position'), marks: part('marks'), times: part('times') },
    video,
    preview,
  )
  const skipButton = createSkipButton({ button: part('skip'), announcement: part('skip-announcement') }, video)
  const fullScreen = createFullScreen(part('stage'), { video, button: part('full-screen') })
  const source = {
    facts: (item) => Promise.resolve(item.facts),
    stream: (item) => callAsGuest(`${addressOf(item.id)}/transcode`, {}),
  }
  const player = createPlayer(
    video,
    {
      onFacts({ chapters, markers, storyboard_url: storyboard }) {
        const ranges = skipMarkersOf(markers)
        timeLine.show({ chapters, ranges })
        skipButton.offer(ranges)
        preview.offer(storyboard)
      },
      onMode: (mode) => (part('player-mode').textContent = mode),
      onProblem: showProblem,
      onMenus: (choices, wishes) => menus.show(choices, wishes),
    },
    source,
  )
  const menus = createMenus(
    { quality: part('quality'), sound: part('sound'), subtitles: part('subtitles') },
    (menu, value) => void player.choose(menu, value),
  )
  listenToPlayerKeys(dialog, video, {
    nextSubtitles: () => menus.next('subtitles'),
    toggleFullScreen: fullScreen.toggle,
    skip: skipButton.skip,
  })

  function showProblem(text) {
    part('player-problem').textContent = text
  }

  part('player-close').addEventListener('click', () => dialog.close())
  dialog.addEventListener('close', () => player.stop())

  return {
    async play({ id, title }) {
      part('player-title').textContent = title
      part('player-mode').textContent = ''
      showProblem('')
      menus.hide()
      if (!dialog.open) dialog.showModal()
      try {
        const facts = await callAsGuest(`${addressOf(id)}/playback`)
        if (dialog.open) await player.start(itemOf(facts))
      } catch (error) {
        showProblem(error.message)
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
