import { markerAt } from './skip-markers.js'

/** Positions this close to the end of the film count as the end, because players round positions. */
const END_SECONDS = 0.5

/**
 * The button that skips the marked range of the current position; hidden outside of marked ranges.
 * @param {{button: HTMLButtonElement, announcement: HTMLElement}} parts `announcement` is a polite live region
 * @param {HTMLVideoElement} video
 */
export function createSkipButton({ button, announcement }, video) {
  /** @type {import('./skip-markers.js').SkipMarker[]} */
  let markers = []
  /** @type {import('./skip-markers.js').SkipMarker | undefined} */
  let current

  for (const event of ['timeupdate', 'seeking', 'seeked', 'emptied']) video.addEventListener(event, update)
  button.addEventListener('click', skip)

  /** Also without a film. Markers of another version of the film may end after the film. */
  const isAtEnd = () => !(video.duration - video.currentTime > END_SECONDS)

  function update() {
    const marker = isAtEnd() ? undefined : markerAt(markers, video.currentTime)
    if (marker === current) return
    current = marker
    // A hidden element loses the focus to the page, where the keys of the player have no effect.
    if (marker === undefined && document.activeElement === button) video.focus()
    button.hidden = marker === undefined
    button.textContent = marker?.label ?? ''
    announcement.textContent = marker === undefined ? '' : `${marker.label}: press S.`
  }

  function skip() {
    if (current !== undefined) video.currentTime = Math.min(current.end, video.duration)
  }

  return {
    skip,
    /** @param {import('./skip-markers.js').SkipMarker[]} offered */
    offer(offered) {
      markers = offered
      update()
    },
  }
}
