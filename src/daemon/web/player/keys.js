const SEEK_SECONDS = 10

/** What has keys of its own. */
const TYPING = 'select, input, textarea'

/**
 * Keys of the player while its dialog is open: space or k, arrows, m, f, and c for the next subtitles.
 * @param {HTMLDialogElement} dialog
 * @param {HTMLVideoElement} video
 * @param {() => void} nextSubtitles
 */
export function listenToPlayerKeys(dialog, video, nextSubtitles) {
  const toggle = () => void (video.paused ? video.play().catch(() => {}) : video.pause())
  const seek = (seconds) => () => (video.currentTime = Math.max(0, video.currentTime + seconds))
  const actions = {
    ' ': toggle,
    k: toggle,
    m: () => (video.muted = !video.muted),
    f: () => void (document.fullscreenElement === null ? video.requestFullscreen() : document.exitFullscreen()),
    c: nextSubtitles,
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
}
