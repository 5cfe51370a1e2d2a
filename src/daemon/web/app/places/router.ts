import { signal } from '@preact/signals'
import { addressOf, HOME, parsePlace, type Place } from './place.ts'

/** Where a page of the history was left: how far it was scrolled, and which card had the focus. */
export type Spot = { scrollTop: number; focusedId: string }

type EntryState = { entry?: number; spot?: Spot; isInside?: boolean }

/** Pages of the history whose spot is remembered. */
const MAX_SPOTS = 50

/** The page that is shown, and its number in the history of this tab. */
export const current = signal<{ place: Place; entry: number }>({ place: parsePlace(location.search), entry: 0 })

const spots = new Map<number, Spot>()

const stateOf = (): EntryState => (history.state as EntryState | null) ?? {}

/** Takes over the history of the tab. */
export function startRouter(): void {
  history.scrollRestoration = 'manual'
  show()
  addEventListener('popstate', () => {
    // An entry of an open dialog has the same page below it.
    if (stateOf().entry === current.value.entry) return
    // The browser has changed the address, but the page is still the former one.
    spots.set(current.value.entry, presentSpot())
    show()
  })
  // A reload keeps only what is in the history.
  addEventListener('pagehide', () => history.replaceState({ ...stateOf(), spot: presentSpot() }, ''))
}

/** Shows the page of the address. After a reload only the history knows where it was left. */
function show(): void {
  const { spot } = stateOf()
  const entry = claimEntry()
  if (spot !== undefined && !spots.has(entry)) spots.set(entry, spot)
  current.value = { place: parsePlace(location.search), entry }
}

/** Entries that other scripts or a typed address have made have no number yet. */
function claimEntry(): number {
  const { entry = nextEntry() } = stateOf()
  history.replaceState({ ...stateOf(), entry }, '')
  return entry
}

const nextEntry = (): number => Math.floor(performance.timeOrigin + performance.now() * 1000)

/** @param replaces whether the page replaces the present one in the history: a filter, or more letters of a search */
export function goTo(place: Place, { replaces = false } = {}): void {
  const { entry: before } = current.value
  const entry = replaces ? before : nextEntry()
  if (!replaces) remember(before)
  const state: EntryState = { entry, isInside: replaces ? (stateOf().isInside ?? false) : true }
  history[replaces ? 'replaceState' : 'pushState'](state, '', addressOf(place))
  if (replaces) spots.delete(entry)
  current.value = { place, entry }
}

function remember(entry: number): void {
  const spot = presentSpot()
  spots.set(entry, spot)
  history.replaceState({ ...stateOf(), spot }, '')
  for (const old of spots.keys()) {
    if (spots.size <= MAX_SPOTS) break
    spots.delete(old)
  }
}

/** To the page before, or to the start page if the app was opened at this one. */
export function goBack(): void {
  if (stateOf().isInside === true) history.back()
  else goTo(HOME, { replaces: true })
}

/** Where the page was left; undefined for a new one. */
export function spotOf(entry: number): Spot | undefined {
  return spots.get(entry)
}

/** Forgets everything; the next person begins at the start page. */
export function forgetPlaces(): void {
  spots.clear()
  const entry = nextEntry()
  history.replaceState({ entry }, '', location.pathname + location.hash)
  current.value = { place: HOME, entry }
}

function presentSpot(): Spot {
  const focused = document.activeElement?.closest<HTMLElement>('[data-id]')
  return { scrollTop: scrollY, focusedId: focused?.dataset['id'] ?? '' }
}
