const SEEK_SECONDS = 10

/** Elements that use keys themselves. The time line uses the same arrows as the player. */
const TYPING = 'select, input:not([type="range"]), textarea'

/**
 * Keys of the player while its dialog is open: space or k, arrows, m, f, c for the next subtitles, and s to skip a marked range.
 * @param {HTMLDialogElement} dialog
 * @param {HTMLVideoElement} video
 * @param {{nextSubtitles: () => void, toggleFullScreen: () => void, skip: () => void}} actions
 */
export function listenToPlayerKeys(dialog, video, { nextSubtitles, toggleFullScreen, skip }) {
  const toggle = () => void (video.paused ? video.play().catch(() => {}) : video.pause())
  const seek = (seconds) => () => (video.currentTime = Math.max(0, video.currentTime + seconds))
  const actions = {
    ' ': toggle,
    k: toggle,
    m: () => (video.muted = !video.muted),
    f: toggleFullScreen,
    c: nextSubtitles,
    s: skip,
    ArrowLeft: seek(-SEEK_SECONDS),
    ArrowRight: seek(SEEK_SECONDS),
  }
  dialog.addEventListener('keydown', (event) => {
    const { key, target, ctrlKey, altKey, metaKey, defaultPrevented } = event
    const action = actions[key.length === 1 ? key.toLowerCase() : key]
    if (action === undefined || ctrlKey || altKey || metaKey || defaultPrevented) return
    if (target.closest(TYPING) !== null || (key === ' ' && target.closest('button') !== null)) return
    event.preventDefault()
    action()
  })
  // The controls of the browser toggle playback when the key is released: the picture that has the focus would play on.
  const keepFromControls = (event) => {
    if (event.key !== ' ' || event.target !== video) return
    event.preventDefault()
    event.stopPropagation()
  }
  dialog.addEventListener('keyup', keepFromControls, true)
}
