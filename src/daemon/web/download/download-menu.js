import { requestJson } from '../api.js'

const POLL_MILLISECONDS = 2000
const ORIGINAL = 'original'

/**
 * The menu that saves the item in the player: the file itself, or a smaller one that the server makes first.
 * @param {{select: HTMLSelectElement, progress: HTMLElement, link: HTMLAnchorElement}} parts `link` saves the file when it is ready
 */
export function createDownloadMenu({ select, progress: state, link }) {
  const label = select.closest('label')
  /** @type {string | undefined} */
  let itemId
  let timer

  function say(text) {
    state.textContent = text
    link.hidden = true
    link.removeAttribute('href')
  }

  function offerFile(address) {
    say('')
    link.href = address
    link.hidden = false
  }

  async function ask(quality) {
    const mine = itemId
    const address = `/api/v1/media/${mine}/download`
    try {
      if (quality === ORIGINAL) {
        const { url } = await requestJson(address)
        if (itemId === mine) offerFile(url)
        return
      }
      const query = `${address}?quality=${encodeURIComponent(quality)}`
      await show(mine, query, await requestJson(query, {}))
    } catch (error) {
      if (itemId === mine) say(error.message)
    }
  }

  async function show(mine, query, download) {
    for (;;) {
      if (itemId !== mine || !query.endsWith(`=${encodeURIComponent(select.value)}`)) return
      const { status, progress, url } = download
      if (status === 'ready') return offerFile(url)
      if (status === 'failed') return say('This quality could not be made.')
      say(`Being made: ${progress} %`)
      await new Promise((resolve) => {
        timer = setTimeout(resolve, POLL_MILLISECONDS)
      })
      download = await requestJson(query)
    }
  }

  select.addEventListener('change', () => {
    clearTimeout(timer)
    say('')
    if (select.value !== '') void ask(select.value)
  })

  return {
    /**
     * Offers an item in the qualities that the server makes.
     * @param {{id: string}} item
     * @param {{id: string, label: string, is_copy: boolean}[] | null} ladder
     */
    offer(item, ladder) {
      itemId = item.id
      say('')
      const rungs = (ladder ?? []).filter((rung) => !rung.is_copy)
      const choices = [['', 'Choose…'], [ORIGINAL, 'Original'], ...rungs.map((rung) => [rung.id, rung.label])]
      select.replaceChildren(...choices.map(([value, text]) => new Option(text, value)))
      label.hidden = false
    },
    hide() {
      clearTimeout(timer)
      itemId = undefined
      say('')
      label.hidden = true
    },
  }
}
