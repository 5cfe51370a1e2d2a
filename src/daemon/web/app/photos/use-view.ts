import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { barHeight, pageTopOf } from '../grid/page-edges.ts'
import { sectionAt, type PlacedSection } from './sections.ts'

/** The page is drawn again after so many pixels. */
const STEP_PIXELS = 100

/** The part of an element that is visible. */
export type View = { width: number; top: number; viewHeight: number }

/** Follows the window of the browser. */
export function useView(frame: { current: HTMLElement | null }): View {
  const [view, setView] = useState<View>({ width: 0, top: 0, viewHeight: 0 })
  useLayoutEffect(() => {
    const { current: element } = frame
    if (element === null) return undefined
    const measure = (): void => {
      const top = Math.floor((scrollY - pageTopOf(element)) / STEP_PIXELS) * STEP_PIXELS
      const next = { width: element.clientWidth, top, viewHeight: innerHeight }
      setView((before) => (isSame(before, next) ? before : next))
    }
    const sizes = new ResizeObserver(measure)
    sizes.observe(element)
    addEventListener('scroll', measure, { passive: true })
    addEventListener('resize', measure)
    measure()
    return () => {
      sizes.disconnect()
      removeEventListener('scroll', measure)
      removeEventListener('resize', measure)
    }
  }, [])
  return view
}

const isSame = (one: View, other: View): boolean =>
  one.width === other.width && one.top === other.top && one.viewHeight === other.viewHeight

/** Keeps what is seen in its place when sections above it, or its own one, become higher or lower because their photos are known now. */
export function useKeptPlace(frame: { current: HTMLElement | null }, placed: readonly PlacedSection[]): void {
  const latest = useRef(placed)
  /** The section below the bar of the page, and how much of it is above; undefined at the top of the page. */
  const anchor = useRef<{ section: number; share: number }>(undefined)
  useLayoutEffect(() => {
    const note = (): void => {
      const { current: element } = frame
      const top = element === null ? 0 : scrollY - pageTopOf(element) + barHeight()
      const section = sectionAt(latest.current, top)
      const at = latest.current[section]
      anchor.current = top <= 0 || at === undefined ? undefined : { section, share: (top - at.top) / at.height }
    }
    addEventListener('scroll', note, { passive: true })
    return () => removeEventListener('scroll', note)
  }, [])
  useLayoutEffect(() => {
    latest.current = placed
    const { current: element } = frame
    const at = anchor.current === undefined ? undefined : placed[anchor.current.section]
    if (element === null || anchor.current === undefined || at === undefined) return
    const wanted = pageTopOf(element) + at.top + anchor.current.share * at.height - barHeight()
    if (Math.abs(wanted - scrollY) >= 1) scrollTo(0, wanted)
  }, [placed])
}
