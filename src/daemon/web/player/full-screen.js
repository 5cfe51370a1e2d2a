/**
 * Full screen of the picture together with the time line and the buttons; the browser's own full screen shows the video alone. It remains
 * where pages cannot use the full screen (iPhone).
 * @param {HTMLElement} stage
 * @param {{video: HTMLVideoElement, button: HTMLButtonElement}} parts
 */
export function createFullScreen(stage, { video, button }) {
  const isOn = () => document.fullscreenElement === stage
  const toggle = () => {
    if (document.fullscreenEnabled)
      void (isOn() ? document.exitFullscreen() : stage.requestFullscreen().catch(() => {}))
  }
  button.hidden = !document.fullscreenEnabled
  if (document.fullscreenEnabled) video.setAttribute('controlslist', 'nofullscreen')
  button.addEventListener('click', toggle)
  stage.addEventListener('fullscreenchange', () => {
    button.textContent = isOn() ? 'Leave full screen' : 'Full screen'
  })
  return { toggle }
}
