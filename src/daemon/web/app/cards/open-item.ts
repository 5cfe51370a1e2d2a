/** What the rest of the page does for the app. */
export type PageActions = {
  /** Plays or shows an item. `siblings`: the rows beside it, for the viewer of photos. */
  open: (item: OpenedItem, siblings: readonly OpenedItem[]) => unknown
  /** Adds to a card what a watch group needs. */
  decorate: (entry: HTMLElement, item: OpenedItem) => void
}

export type OpenedItem = { id: string; name: string; type: string }

let actions: PageActions = { open: () => undefined, decorate: () => undefined }

export function setPageActions(given: PageActions): void {
  actions = given
}

export const openItem: PageActions['open'] = (item, siblings) => actions.open(item, siblings)

export const decorateCard: PageActions['decorate'] = (entry, item) => actions.decorate(entry, item)

/** Types with a page of their own; the others are played, read or shown at once. */
const WITH_PAGE: ReadonlySet<string> = new Set(['movie', 'video', 'series', 'season'])

export const hasPage = ({ type }: Pick<OpenedItem, 'type'>): boolean => WITH_PAGE.has(type)
