import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { showPhotos } from '../cards/open-item.ts'
import { barHeight, footHeight, pageTopOf } from '../grid/page-edges.ts'
import { dayText } from './dates.ts'
import type { RowMeasures } from './justified-rows.ts'
import type { KeptTimeline } from './kept-timeline.ts'
import { PhotoSection } from './photo-section.tsx'
import { placeOfPhoto, placeSections, sectionOf, timelineHeight, type PlacedSection } from './sections.ts'
import { photoAfterKey } from './timeline-keys.ts'
import { useKeptPlace, useView, type View } from './use-view.ts'

/** Drawn before and after the visible part, so that scrolling finds it there. */
const SPARE_PIXELS = 600

type Props = {
  timeline: KeptTimeline
  total: number
  /** The section to scroll to; a new object scrolls again. */
  jump: { section: number } | undefined
}

/**
 * All photos by month, in rows of one height, of which the visible ones are in the document. One photo takes part in the Tab order; arrows, Home, End and
 * Page lead from photo to photo.
 */
export function PhotoTimeline({ timeline: { sections, photos }, total, jump }: Props) {
  const frame = useRef<HTMLDivElement>(null)
  const view = useView(frame)
  const { value: version } = photos.version
  const measures = measuresOf(view.width)
  const placed = useMemo(
    () =>
      view.width === 0
        ? []
        : placeSections(sections, measures, (number) => photos.of(number)?.map(({ ratio }) => ratio)),
    [sections, photos, version, view.width],
  )
  useKeptPlace(frame, placed)
  const [activeIndex, setActiveIndex] = useState(0)
  const waitingFocus = useRef<number>(undefined)
  const visible = visibleSections(placed, view)

  useEffect(() => photos.want(visible), [photos, visible.join(' ')])
  useLayoutEffect(() => {
    const section = jump === undefined ? undefined : placed[jump.section]
    if (section !== undefined) scrollToTop(section.top)
  }, [jump])
  // The photo may be drawn only after the key, and be known later still.
  useLayoutEffect(() => {
    if (waitingFocus.current === undefined) return
    reveal(waitingFocus.current)
    const photo = frame.current?.querySelector<HTMLElement>(`[data-index="${waitingFocus.current}"] button`)
    if (photo === null || photo === undefined) return
    photo.focus({ preventScroll: true })
    waitingFocus.current = undefined
  })

  const scrollToTop = (top: number): void => {
    if (frame.current !== null) scrollTo(0, pageTopOf(frame.current) + top - barHeight())
  }

  function reveal(index: number): void {
    const section = placed[sectionOf(sections, index)]
    if (frame.current === null || section === undefined) return
    const { top, height } = placeOfPhoto(section, index, measures.gap) ?? { top: section.top, height: 1 }
    const seenTop = scrollY - pageTopOf(frame.current)
    if (top < seenTop + barHeight()) scrollToTop(top - measures.gap)
    else if (top + height > seenTop + innerHeight - footHeight())
      scrollToTop(top + height + measures.gap - (innerHeight - barHeight() - footHeight()))
  }

  function goTo(index: number): void {
    waitingFocus.current = index
    setActiveIndex(index)
    reveal(index)
  }

  function onKeyDown(event: KeyboardEvent): void {
    const from = indexOf(event.target)
    if (from === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    const rowsInView = Math.max(1, Math.floor(innerHeight / measures.rowHeight) - 1)
    const target = photoAfterKey(event.key, from, { placed, total, gap: measures.gap, rowsInView })
    if (target === undefined) return
    event.preventDefault()
    goTo(target)
  }

  function open(index: number): void {
    const at = (wanted: number) => {
      const number = sectionOf(sections, wanted)
      return { number, place: wanted - (sections[number]?.firstIndex ?? 0) }
    }
    const source = {
      count: total,
      titleAt(wanted: number) {
        const { number, place } = at(wanted)
        const date = photos.of(number)?.[place]?.date
        return date === undefined ? '' : dayText(date)
      },
      async idAt(wanted: number) {
        const { number, place } = at(wanted)
        return (await photos.load(number))[place]?.id ?? ''
      },
    }
    showPhotos(source, index, goTo)
  }

  const hasActive = visible.some((number) => isIn(placed[number], activeIndex))
  return (
    <div
      class="timeline"
      id="timeline"
      ref={frame}
      style={{ height: `${timelineHeight(placed)}px` }}
      onKeyDown={onKeyDown}
      onFocusIn={({ target }) => setActiveIndex((before) => indexOf(target) ?? before)}
    >
      {visible.map((number) => {
        const section = placed[number]
        return (
          section !== undefined && (
            <PhotoSection
              key={`${section.month} ${section.offset}`}
              section={section}
              photos={photos.of(number)}
              gap={measures.gap}
              seen={{ top: view.top - SPARE_PIXELS, bottom: view.top + view.viewHeight + SPARE_PIXELS }}
              tabIndex={hasActive ? activeIndex : (placed[visible[0] ?? 0]?.firstIndex ?? 0)}
              onOpen={open}
            />
          )
        )
      })}
    </div>
  )
}

const isIn = (section: PlacedSection | undefined, index: number): boolean =>
  section !== undefined && section.firstIndex <= index && index < section.firstIndex + section.count

function visibleSections(placed: readonly PlacedSection[], { top, viewHeight }: View): number[] {
  const [from, to] = [top - SPARE_PIXELS, top + viewHeight + SPARE_PIXELS]
  return placed.flatMap((section, number) => (section.top < to && section.top + section.height > from ? [number] : []))
}

function measuresOf(width: number): RowMeasures {
  const isNarrow = width < 480
  return { width, rowHeight: isNarrow ? 110 : width > 1500 ? 260 : 200, gap: isNarrow ? 4 : 6 }
}

function indexOf(target: EventTarget | null): number | undefined {
  const entry = target instanceof Element ? target.closest<HTMLElement>('[data-index]') : null
  return entry === null ? undefined : Number(entry.dataset['index'])
}
