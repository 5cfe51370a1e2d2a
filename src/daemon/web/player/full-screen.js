/**
 * Full screen of the picture together with the time line and the buttons; the browser's own full screen shows the video alone.
 * @param {HTMLElement} stage
 * @param {HTMLButtonElement} button hidden where pages cannot use the full screen
 */
export function createFullScreen(stage, button) {
  const isOn = () => document.fullscreenElement === stage
  const toggle = () => void (isOn() ? document.exitFullscreen() : stage.requestFullscreen().catch(() => {}))
  button.hidden = !document.fullscreenEnabled
  button.addEventListener('click', toggle)
  stage.addEventListener('fullscreenchange', () => {
    button.textContent = isOn() ? 'Leave full screen' : 'Full screen'
  })
  return { toggle }
}
