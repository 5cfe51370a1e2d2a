import { createFullScreen } from './full-screen.js'
import { listenToPlayerKeys } from './keyboard.js'
import { createMenus } from './menus.js'
import { createPlayer } from './load-player.js'
import { createPreview } from './preview.js'
import { createSkipButton } from './skip-button.js'
import { parseSkipMarkers } from './skip-markers.js'
import { createTimeLine } from './time-line.js'

const NO_FACTS = { chapters: [], markers: [], storyboard_url: null }

/**
 * The player in a dialog, with its time line, menus, buttons and keys.
 * @param {HTMLDialogElement} dialog
 * @param {{onFacts?: (facts: object) => void, source?: object}} [options] `onFacts` receives the playback information of an item before it plays;
 * `source`: where items come from, as for `createPlayer`
 */
export function createFilmPlayer(dialog, { onFacts = () => {}, source } = {}) {
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
  const listeners = {
    onFacts(facts) {
      showFacts(facts)
      onFacts(facts)
    },
    onMode: (mode) => (part('player-mode').textContent = mode),
    onProblem: (text) => (part('player-problem').textContent = text),
    onMenus: (choices, wishes) => menus.show(choices, wishes),
  }
  const player = createPlayer(video, listeners, source)
  const menus = createMenus(
    { quality: part('quality'), sound: part('sound'), subtitles: part('subtitles') },
    (menu, value) => void player.choose(menu, value),
  )
  listenToPlayerKeys(dialog, video, {
    nextSubtitles: () => menus.next('subtitles'),
    toggleFullScreen: fullScreen.toggle,
    skip: skipButton.skip,
  })

  /** Shows the time line of a film: pictures, chapters and marked ranges. */
  function showFacts({ chapters, markers, storyboard_url: storyboard }) {
    const ranges = parseSkipMarkers(markers)
    timeLine.show({ chapters, ranges })
    skipButton.offer(ranges)
    preview.offer(storyboard)
  }

  return {
    video,
    start: (item, options) => player.start(item, options),
    stop: () => void player.stop(),
    /** The limits of the viewer may have changed. @param {object} facts the playback information of the item, as it is now */
    adapt: (facts) => void player.adapt(facts),
    /** Shows the title of an item that is being loaded, and nothing of the one before. */
    prepare(title) {
      part('player-title').textContent = title
      part('player-problem').textContent = ''
      part('player-mode').textContent = ''
      menus.hide()
      player.prepare()
      showFacts(NO_FACTS)
    },
    showProblem: listeners.onProblem,
  }
}
