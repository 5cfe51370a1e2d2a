import { call, SignedOut } from '../api.js'
import { createContinueRow } from './continue-row.js'
import { listEntry, showWatched, titleOf } from './list-entry.js'

const PAGE_SIZE = 60
const SEARCH_DELAY_MILLISECONDS = 250
const HEADING = 'Titles'

/** From this share on, the server counts an item as watched. */
const WATCHED_SHARE = 0.9

/**
 * The list of titles, page by page: all or those of one library, those that a search finds, or the content of a series or season. A step into
 * a series is an entry of the browser's history.
 * @param {{heading: HTMLElement, count: HTMLElement, back: HTMLButtonElement, library: HTMLSelectElement, form: HTMLFormElement, query: HTMLInputElement, list: HTMLElement, empty: HTMLElement, more: HTMLElement, begun: HTMLElement, begunList: HTMLElement}} parts `begun`: the row of what can be continued
 * @param {{open: (item: object, items: object[]) => unknown, decorate: (entry: HTMLElement, item: object) => void, guarded: (work: () => Promise<void>) => Promise<void>}} page
 * `items`: the rows of the list
 */
export function createTitleList(parts, { open, decorate, guarded }) {
  const { heading, count, back, library, form, query, list, empty, more, begun, begunList } = parts
  const continueRow = createContinueRow({ section: begun, list: begunList }, { open: (item) => open(item, [item]) })
  /** The series and season that are open, from the outside to the inside. @type {{id: string, title: string}[]} */
  let path = []
  /** @type {object[]} */
  let items = []
  /** Replies of an older search must not overwrite a newer one. */
  let searchNumber = 0
  let searchTimer

  const words = () => query.value.trim()

  function filter() {
    const wanted = new URLSearchParams({
      limit: String(PAGE_SIZE),
      offset: String(items.length),
      include: 'user_data',
    })
    const folder = path.at(-1)
    if (folder !== undefined) wanted.set('parentId', folder.id)
    else {
      wanted.set('sort', 'name')
      if (library.value !== '') wanted.set('libraryId', library.value)
      if (words() === '') wanted.set('topLevel', '1')
      else wanted.set('search', words())
    }
    return wanted
  }

  async function loadPage(isMore) {
    const number = searchNumber
    more.disabled = true
    try {
      const { items: rows, total } = await call(`/api/v1/media?${filter()}`)
      if (number === searchNumber) showPage({ rows, total, isMore })
    } finally {
      if (number === searchNumber) more.disabled = false
    }
  }

  function showPage({ rows, total, isMore }) {
    const entries = rows.map((item) => {
      const entry = listEntry(item, () => (isFolder(item) ? enter(item) : open(item, items)))
      decorate(entry, item)
      return entry
    })
    items = isMore ? [...items, ...rows] : rows
    list.replaceChildren(...(isMore ? list.children : []), ...entries)
    more.hidden = items.length >= total || rows.length === 0
    showHeading(total)
    empty.hidden = total > 0
    empty.textContent = emptyText()
  }

  function emptyText() {
    if (path.length > 0) return 'Nothing is in here.'
    if (words() !== '') return `Nothing is called “${words()}”.`
    return 'Nothing here yet. Scan a library to fill it.'
  }

  function showHeading(total) {
    heading.textContent = path.length === 0 ? HEADING : path.map(({ title }) => title).join(' · ')
    count.textContent = total === 0 ? '' : String(total)
    back.hidden = path.length === 0
    continueRow.show(path.length === 0 && words() === '' && library.value === '')
    library.parentElement.hidden = path.length > 0 || library.options.length < 3
  }

  async function loadAnew() {
    searchNumber += 1
    clearTimeout(searchTimer)
    items = []
    await loadPage(false)
  }

  const reload = () => guarded(loadAnew)

  function enter(item) {
    path = [...path, { id: item.id, title: titleOf(item) }]
    history.pushState({ folderIds: path.map(({ id }) => id) }, '')
    void reload().then(() => (list.querySelector('button') ?? back).focus())
  }

  /** The history has only ids: another profile may not see what the former one has opened. */
  async function restorePath() {
    path = []
    const ids = history.state?.folderIds ?? []
    try {
      const details = await Promise.all(ids.map((id) => call(`/api/v1/media/${id}`)))
      path = details.map(({ item }) => ({ id: item.id, title: titleOf(item) }))
    } catch (error) {
      // A hidden or deleted item is not found.
      if (error instanceof SignedOut) throw error
    }
  }

  async function offerLibraries() {
    const { libraries } = await call('/api/v1/libraries')
    const before = library.value
    const choices = libraries.map(({ id, name }) => new Option(name, id))
    library.replaceChildren(new Option('All libraries', ''), ...choices)
    library.value = choices.some(({ value }) => value === before) ? before : ''
  }

  /** A search is in all series. */
  function search() {
    if (path.length > 0) history.pushState({ folderIds: [] }, '')
    path = []
    return reload()
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void search()
  })
  query.addEventListener('input', () => {
    clearTimeout(searchTimer)
    searchTimer = setTimeout(() => void search(), SEARCH_DELAY_MILLISECONDS)
  })
  library.addEventListener('change', () => void reload())
  more.addEventListener('click', () => void guarded(() => loadPage(true)))
  back.addEventListener('click', () => history.back())
  addEventListener('popstate', () => {
    const ids = history.state?.folderIds ?? []
    // A dialog was closed, and the list below it is the same.
    if (ids.join() === path.map(({ id }) => id).join()) return
    // Nobody is signed in.
    if (!list.closest('section').hidden)
      void guarded(async () => {
        await restorePath()
        await loadAnew()
      })
  })

  return {
    /** Shows what the account sees now, in the series that the address of the page stands for. */
    show: () =>
      guarded(async () => {
        await restorePath()
        await offerLibraries()
        await Promise.all([loadAnew(), continueRow.load()])
      }),
    /**
     * Shows where the viewer is in an item, before the server says it.
     * @param {import('../player/progress-report.js').Place} place
     */
    showProgress({ itemId, seconds, durationSeconds, hasEnded }) {
      const share = durationSeconds > 0 ? seconds / durationSeconds : 0
      const isWatched = hasEnded || share >= WATCHED_SHARE
      const secondsLeft = durationSeconds > 0 ? durationSeconds - seconds : undefined
      for (const parent of [list, begunList]) {
        const entry = parent.querySelector(`.film[data-id="${itemId}"]`)?.closest('li')
        if (entry) showWatched(entry, { share: hasEnded ? 0 : share, secondsLeft, isWatched })
      }
    },
    /** Another item was played. */
    reloadBegun: () => guarded(() => continueRow.load()),
    clear() {
      searchNumber += 1
      continueRow.clear()
      ;[items, path] = [[], []]
      list.replaceChildren()
      history.replaceState(null, '')
    },
  }
}

const isFolder = ({ type }) => type === 'series' || type === 'season'
