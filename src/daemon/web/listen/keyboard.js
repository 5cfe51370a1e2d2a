/** Elements that use keys themselves: text fields, menus and buttons. */
const TYPING = 'input:not([type=range]):not([type=radio]), textarea, select'
const PRESSED_BY_SPACE = 'button, a, [role=button], input[type=radio]'

/**
 * Keys that work with any focus, except on elements that use the key themselves.
 * @param {Record<string, (event: KeyboardEvent) => void>} actions by `event.key`, letters in lower case; `Shift+` before arrows
 */
export function listenToKeys(actions) {
  document.addEventListener('keydown', (event) => {
    if (isChord(event) || isForThePlace(event)) return
    const action = actions[nameOf(event)]
    if (action === undefined) return
    event.preventDefault()
    action(event)
  })
}

const isChord = ({ defaultPrevented, ctrlKey, altKey, metaKey, isComposing }) =>
  defaultPrevented || ctrlKey || altKey || metaKey || isComposing

function isForThePlace({ key, target }) {
  if (document.querySelector('dialog[open]') !== null || target.closest(TYPING) !== null) return true
  if (key === ' ') return target.closest(PRESSED_BY_SPACE) !== null
  return key.startsWith('Arrow') && target.matches('input[type=radio]')
}

function nameOf({ key, shiftKey }) {
  if (key.length === 1) return key.toLowerCase()
  return shiftKey && key.startsWith('Arrow') ? `Shift+${key}` : key
}
