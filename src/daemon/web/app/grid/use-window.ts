import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import {
  layOut,
  listTopAfter,
  scrollTopFor,
  windowAt,
  type GridLayout,
  type GridWindow,
  type Measures,
} from './grid-window.ts'
import { barHeight, footHeight, pageTopOf } from './page-edges.ts'

/** Height of title and facts under a poster. */
const TEXT_HEIGHT = 76

type Drawn = GridWindow & { width: number; blockTop: number }

const NOTHING: Drawn = { width: 0, firstIndex: 0, endIndex: 0, top: 0, blockTop: 0 }

export type Shown = {
  layout: GridLayout
  gap: number
  drawn: Drawn
  /** Scrolls so that the row of a card is whole below the bar of the page; not if it is already. */
  reveal: (index: number) => void
  /** Scrolls the row of a card to the top. */
  scrollToRow: (index: number) => void
}

/** Follows the window of the browser, and says which cards of a list are to be drawn. It changes when another row comes into view. */
export function useWindow(frame: { current: HTMLElement | null }, count: number, isSquare: boolean): Shown {
  const [drawn, setDrawn] = useState(NOTHING)
  const place = useRef({ listTop: 0, scrollTop: 0 })
  const measures = measuresOf(drawn.width, isSquare)
  const layout = layOut(count, measures)

  function measure(): void {
    const { current: element } = frame
    if (element === null) return
    const { clientWidth: width } = element
    const present = layOut(count, measuresOf(width, isSquare))
    const scrollTop = Math.max(0, scrollY - pageTopOf(element))
    const listTop = listTopAfter(present, place.current, { scrollTop, viewHeight: innerHeight })
    place.current = { listTop, scrollTop }
    const cards = windowAt(present, count, { listTop, viewHeight: innerHeight })
    const next = { ...cards, width, blockTop: cards.top - listTop + scrollTop }
    setDrawn((before) => (isSame(before, next) ? before : next))
  }

  const latest = useRef(measure)
  latest.current = measure
  useLayoutEffect(() => {
    const follow = (): void => latest.current()
    const sizes = new ResizeObserver(follow)
    if (frame.current !== null) sizes.observe(frame.current)
    addEventListener('scroll', follow, { passive: true })
    addEventListener('resize', follow)
    return () => {
      sizes.disconnect()
      removeEventListener('scroll', follow)
      removeEventListener('resize', follow)
    }
  }, [])
  useLayoutEffect(measure, [count])

  function scrollToRow(index: number): void {
    const { current: element } = frame
    if (element === null) return
    const listTop = Math.min(rowTopOf(layout, index), Math.max(0, layout.height - innerHeight + coveredHeight()))
    place.current = { listTop, scrollTop: scrollTopFor(layout, listTop, innerHeight) }
    scrollTo(0, pageTopOf(element) + place.current.scrollTop - barHeight())
    measure()
  }

  function reveal(index: number): void {
    const rowTop = rowTopOf(layout, index)
    const viewTop = place.current.listTop + barHeight()
    if (rowTop < viewTop) scrollToRow(index)
    else if (rowTop + layout.rowHeight > place.current.listTop + innerHeight - footHeight())
      scrollToRow(
        index - layout.columns * Math.max(0, Math.floor((innerHeight - coveredHeight()) / layout.rowHeight) - 1),
      )
  }

  return { layout, gap: measures.gap, drawn, reveal, scrollToRow }
}

const rowTopOf = ({ columns, rowHeight }: GridLayout, index: number): number =>
  Math.floor(Math.max(0, index) / columns) * rowHeight

function measuresOf(width: number, isSquare: boolean): Measures {
  const isNarrow = width < 480
  const minCardWidth = isNarrow ? 130 : width > 1500 ? 190 : 160
  return { width, minCardWidth, gap: isNarrow ? 12 : 20, textHeight: TEXT_HEIGHT, isSquare }
}

const coveredHeight = (): number => barHeight() + footHeight()

function isSame(one: Drawn, other: Drawn): boolean {
  return (
    one.width === other.width &&
    one.firstIndex === other.firstIndex &&
    one.endIndex === other.endIndex &&
    one.blockTop === other.blockTop
  )
}
