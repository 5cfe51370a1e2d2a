import { requestJson } from '../api.js'

/**
 * The episode after the one in the player, and the button that plays it. In a group its host decides, and the queue of the group comes first.
 * @param {HTMLButtonElement} button
 * @param {{open: (item: object) => Promise<boolean>, ask: (item: object) => Promise<boolean>, group: {isInGroup(): boolean, mayControl(): boolean, hasQueue(): boolean, next(): boolean}}} parts
 */
export function createNextItem(button, { open, ask, group }) {
  /** @type {Promise<object | null>} */
  let loading = Promise.resolve(null)
  let next = null

  const isKnown = () => next !== null || (group.isInGroup() && group.hasQueue())

  function show() {
    button.hidden = !isKnown() || (group.isInGroup() && !group.mayControl())
  }

  async function find(id) {
    try {
      return id === undefined ? null : (await requestJson(`/api/v1/media/${id}/next`)).item
    } catch {
      return null
    }
  }

  async function play(openNext = open) {
    await loading
    if (!isKnown()) return false
    return group.isInGroup() ? group.next() : openNext(next)
  }

  button.addEventListener('click', () => void play(ask))
  return {
    /** Another item is in the player; undefined: none. */
    async offer(id) {
      next = null
      show()
      const mine = (loading = find(id))
      const found = await mine
      // A later item may have come meanwhile.
      if (loading !== mine) return
      next = found
      show()
    },
    /** Shows or hides the button after a change of the group. */
    show,
    /** @returns {Promise<boolean>} whether something is next */
    play: () => play(),
  }
}
