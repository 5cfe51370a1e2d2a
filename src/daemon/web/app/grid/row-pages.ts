import { signal, type Signal } from '@preact/signals'
import type { CardItem } from '../cards/facts.ts'

/** Asks the server for `limit` rows from `offset` on. */
export type FetchRows = (page: { limit: number; offset: number }) => Promise<{
  items: readonly CardItem[]
  total: number
}>

/** Rows in one request; the largest that the server allows. */
export const PAGE_ROWS = 100

/** Requests at the same time: browsers have six connections to a host, and pictures need some of them. */
const MAX_REQUESTS = 2

/** The rows of a long list, of which only the wanted pages are asked for. */
export type RowPages = {
  /** Grows with each page that arrives. */
  version: Signal<number>
  /** undefined until the first page is there. */
  total: () => number | undefined
  problem: () => string | undefined
  rowAt: (index: number) => CardItem | undefined
  /** All rows that are known, in order. */
  known: () => CardItem[]
  /** Asks for the pages with these rows. Pages that were wanted before and not yet asked for are not any more. */
  want: (firstIndex: number, endIndex: number) => void
  /** Asks again for the pages that were wanted last, which stay until they arrive; other pages are dropped. */
  renew: () => void
}

export function createRowPages(fetchRows: FetchRows): RowPages {
  const version = signal(0)
  const pages = new Map<number, readonly CardItem[]>()
  const asked = new Set<number>()
  /** Pages that may have changed since they arrived. */
  const old = new Set<number>()
  let wanted: number[] = []
  let lastWanted: number[] = []
  let total: number | undefined
  let problem: string | undefined

  function askNext(): void {
    while (asked.size < MAX_REQUESTS) {
      const page = wanted.shift()
      if (page === undefined) return
      if ((!pages.has(page) || old.has(page)) && !asked.has(page)) void ask(page)
    }
  }

  async function ask(page: number): Promise<void> {
    asked.add(page)
    old.delete(page)
    try {
      const reply = await fetchRows({ limit: PAGE_ROWS, offset: page * PAGE_ROWS })
      pages.set(page, reply.items)
      total = reply.total
      problem = undefined
    } catch (error) {
      problem = error instanceof Error ? error.message : String(error)
    } finally {
      asked.delete(page)
      version.value += 1
    }
    askNext()
  }

  return {
    version,
    total: () => total,
    problem: () => problem,
    rowAt: (index) => pages.get(Math.floor(index / PAGE_ROWS))?.[index % PAGE_ROWS],
    known: () => [...pages.keys()].toSorted((a, b) => a - b).flatMap((page) => pages.get(page) ?? []),
    want(firstIndex, endIndex) {
      const first = Math.floor(Math.max(0, firstIndex) / PAGE_ROWS)
      const last = Math.floor(Math.max(0, endIndex - 1) / PAGE_ROWS)
      lastWanted = Array.from({ length: last - first + 1 }, (_, index) => first + index)
      wanted = [...lastWanted]
      askNext()
    },
    renew() {
      for (const page of pages.keys()) {
        if (lastWanted.includes(page)) old.add(page)
        else pages.delete(page)
      }
      wanted = [...lastWanted]
      askNext()
    },
  }
}
