import type { Place } from '../places/place.ts'

/** What the rest of the page does for the app. */
export type PageActions = {
  /** Plays or shows an item. `siblings`: the rows beside it, for the viewer of photos. */
  open: (item: OpenedItem, siblings: readonly OpenedItem[]) => unknown
  /** Adds to a card what a watch group needs. */
  decorate: (entry: HTMLElement, item: OpenedItem) => void
  /** Whether a watch group gets an item instead of this page. */
  giveToGroup: (item: OpenedItem) => boolean
  /** Shows photos in a dialog. @param onClosed gets the photo that was shown last */
  showPhotos: (photos: PhotoSource, index: number, onClosed: (index: number) => void) => void
}

/** Photos in their order, of which not all need to be known. */
export type PhotoSource = {
  count: number
  titleAt: (index: number) => string
  idAt: (index: number) => Promise<string>
}

export type OpenedItem = { id: string; name: string; type: string }

let actions: PageActions = {
  open: () => undefined,
  decorate: () => undefined,
  giveToGroup: () => false,
  showPhotos: () => undefined,
}

export function setPageActions(given: PageActions): void {
  actions = given
}

export const openItem: PageActions['open'] = (item, siblings) => actions.open(item, siblings)

export const decorateCard: PageActions['decorate'] = (entry, item) => actions.decorate(entry, item)

export const giveToGroup: PageActions['giveToGroup'] = (item) => actions.giveToGroup(item)

export const showPhotos: PageActions['showPhotos'] = (photos, index, onClosed) =>
  actions.showPhotos(photos, index, onClosed)

/** Types with a page of their own; the others are played, read or shown at once. */
const WITH_PAGE: ReadonlySet<string> = new Set(['movie', 'video', 'series', 'season'])

/** The page of an item; undefined for what is played, read or shown at once. */
export function pageOf({ id, name, type, artist }: OpenedItem & { artist?: string | null }): Place | undefined {
  if (type === 'artist') return { page: 'artist', name }
  if (type === 'album') return { page: 'album', title: name, artist: artist ?? '' }
  return WITH_PAGE.has(type) ? { page: 'item', id } : undefined
}
