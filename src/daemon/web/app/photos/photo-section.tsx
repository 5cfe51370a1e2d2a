import { texts } from '../messages/language.ts'
import { dayText, monthText } from './dates.ts'
import { shownRatio } from './justified-rows.ts'
import { HEADING_HEIGHT, placeOfPhoto, type PlacedSection } from './sections.ts'
import type { TimelinePhoto } from './timeline-photos.ts'

/** Pixels of a small picture, enough for the highest row on a screen of high resolution. */
const PICTURE_HEIGHT = 400

type Props = {
  section: PlacedSection
  /** undefined until they are known */
  photos: readonly TimelinePhoto[] | undefined
  gap: number
  /** What of the timeline is drawn. */
  seen: { top: number; bottom: number }
  /** The photo that takes part in the Tab order. */
  tabIndex: number
  onOpen: (index: number) => void
}

/** A month, or a part of a long one. */
export function PhotoSection({ section, photos, gap, seen, tabIndex, onOpen }: Props) {
  const { month, count, offset, firstIndex, hasHeading, top, height, rows } = section
  const rowsTop = top + (hasHeading ? HEADING_HEIGHT : 0)
  const shown = (rows ?? []).filter(
    (row) => rowsTop + row.top < seen.bottom && rowsTop + row.top + row.height > seen.top,
  )
  const indexes = shown.flatMap(({ first, end }) => Array.from({ length: end - first }, (_, at) => first + at))
  // Without the photo of the Tab order, the first one that is drawn can be reached.
  const isReached = indexes.some((at) => firstIndex + at === tabIndex)
  const fallback = tabIndex >= firstIndex && tabIndex < firstIndex + count && !isReached ? indexes[0] : undefined
  return (
    <section class="month" style={{ top: `${top}px`, height: `${height}px` }} aria-label={monthText(month)}>
      {hasHeading && <h3 style={{ height: `${HEADING_HEIGHT}px` }}>{monthText(month)}</h3>}
      {photos === undefined ? (
        <div class="month-waiting" />
      ) : (
        <ul class="photos" role="list" aria-label={monthText(month)}>
          {indexes.map((at) => {
            const photo = photos[at]
            const place = placeOfPhoto(section, firstIndex + at, gap)
            if (photo === undefined || place === undefined) return null
            return (
              <li
                key={photo.id}
                data-index={firstIndex + at}
                aria-posinset={at + 1}
                aria-setsize={count}
                style={{
                  top: `${place.top - rowsTop}px`,
                  insetInlineStart: `${place.left}px`,
                  width: `${place.width}px`,
                  height: `${place.height}px`,
                }}
              >
                <button
                  type="button"
                  class="photo"
                  data-id={photo.id}
                  tabIndex={firstIndex + at === tabIndex || at === fallback ? 0 : -1}
                  aria-label={texts.photo(offset + at + 1, dayText(photo.date))}
                  onClick={() => onOpen(firstIndex + at)}
                >
                  <img alt="" decoding="async" src={pictureOf(photo)} />
                </button>
              </li>
            )
          })}
        </ul>
      )}
    </section>
  )
}

/** The size is the same for all windows, so that the browser has the picture already. */
function pictureOf({ thumbnail_url: address, ratio }: TimelinePhoto): string {
  return `${address}&w=${Math.round(PICTURE_HEIGHT * shownRatio(ratio))}&h=${PICTURE_HEIGHT}`
}
