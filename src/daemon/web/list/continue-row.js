import { call } from '../api.js'
import { listEntry } from './list-entry.js'

const LIMIT = 12

/** Songs are left out, and the server does not. */
const REQUESTED = 50

/**
 * What the viewer has begun and not finished, above the list of titles.
 * @param {{section: HTMLElement, list: HTMLElement}} parts
 * @param {{open: (item: object) => unknown}} page
 */
export function createContinueRow({ section, list }, { open }) {
  let isWanted = false
  /** Replies of an older request must not overwrite a newer one. */
  let requestNumber = 0

  const update = () => (section.hidden = !isWanted || list.children.length === 0)

  return {
    async load() {
      const number = (requestNumber += 1)
      const { items } = await call(`/api/v1/users/me/continue-watching?limit=${REQUESTED}`)
      if (number !== requestNumber) return
      const films = items.filter(({ type }) => type !== 'audio').slice(0, LIMIT)
      list.replaceChildren(...films.map((item) => listEntry(namedWithSeries(item), () => open(item))))
      update()
    },
    /** Shown at the top of the list of all titles only. */
    show(isShown) {
      isWanted = isShown
      update()
    },
    clear() {
      requestNumber += 1
      list.replaceChildren()
      update()
    },
  }
}

/** The title of an episode alone does not say of which series it is; its name does. */
const namedWithSeries = (item) => (item.type === 'episode' ? { ...item, episode_title: null } : item)
