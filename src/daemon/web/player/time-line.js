import { formatDuration, formatSpokenDuration } from '../listen/format-duration.js'

/** Width of the thumb in pixels, as in page.css. Its centre is at the position, so the scale begins and ends half a thumb inside. */
const THUMB_PIXELS = 16

/**
 * The time line below the picture: position, chapters and marked ranges. A drag moves the picture of the preview only; the film is sought at
 * its end, because each seek of a stream can start an encoder.
 * @param {{frame: HTMLElement, input: HTMLInputElement, marks: HTMLElement, times: HTMLElement}} parts
 * @param {HTMLVideoElement} video
 * @param {ReturnType<typeof import('./preview.js').createPreview>} preview
 */
export function createTimeLine({ frame, input, marks, times }, video, preview) {
  /** @type {{start_seconds: number, title: string | null}[]} */
  let chapters = []
  /** @type {import('./skip-markers.js').SkipMarker[]} */
  let ranges = []
  let isDragged = false

  const length = () => (Number.isFinite(video.duration) ? video.duration : 0)
  const chapterAt = (seconds) => chapters.findLast(({ start_seconds: start }) => start <= seconds)?.title ?? ''

  function drawPosition() {
    if (!isDragged) input.value = String(video.currentTime)
    const [position, end] = [Number(input.value), length()]
    frame.style.setProperty('--played', String(end === 0 ? 0 : position / end))
    // Without a film there is no position.
    times.textContent = end === 0 ? '' : `${formatDuration(position)} / ${formatDuration(end)}`
    const title = chapterAt(position)
    input.setAttribute(
      'aria-valuetext',
      [`${formatSpokenDuration(position)} of ${formatSpokenDuration(end)}`, title].filter(Boolean).join(', '),
    )
  }

  function drawLength() {
    const end = length()
    input.max = String(end)
    input.disabled = end === 0
    const starts = chapters.map(({ start_seconds: start }) => start).filter((start) => start > 0 && start < end)
    const parts = [
      ...ranges
        .filter(({ start }) => start < end)
        .map(({ start, end: stop }) => markOf('range', start / end, Math.min(stop, end) / end)),
      ...starts.map((start) => markOf('chapter', start / end)),
    ]
    marks.replaceChildren(...parts)
    drawPosition()
  }

  function showPreview(seconds) {
    const end = length()
    if (end === 0) return
    const { width } = input.getBoundingClientRect()
    const left = THUMB_PIXELS / 2 + (seconds / end) * (width - THUMB_PIXELS)
    preview.show({ seconds, title: chapterAt(seconds), left, width })
  }

  function secondsUnder({ clientX }) {
    const { left, width } = input.getBoundingClientRect()
    const share = (clientX - left - THUMB_PIXELS / 2) / (width - THUMB_PIXELS)
    return Math.max(0, Math.min(1, share)) * length()
  }

  /** The value of the input is kept: browsers report the end of a drag before its change. */
  function endDrag() {
    isDragged = false
    preview.hide()
  }

  for (const event of ['durationchange', 'emptied']) video.addEventListener(event, drawLength)
  for (const event of ['timeupdate', 'seeking']) video.addEventListener(event, drawPosition)
  // Keys move the position: the preview is shown until the picture of the new position is.
  video.addEventListener('seeking', () => {
    if (input.matches(':focus-visible')) showPreview(video.currentTime)
  })
  video.addEventListener('seeked', () => {
    if (!isDragged && !input.matches(':hover')) preview.hide()
  })
  input.addEventListener('pointerdown', () => (isDragged = true))
  input.addEventListener('pointermove', (event) => {
    if (!isDragged) showPreview(secondsUnder(event))
  })
  input.addEventListener('input', () => {
    // Keys such as Home move the thumb without a drag; their change follows at once.
    isDragged = true
    drawPosition()
    showPreview(Number(input.value))
  })
  input.addEventListener('change', () => {
    video.currentTime = Number(input.value)
    endDrag()
  })
  for (const event of ['pointerup', 'pointercancel', 'blur']) input.addEventListener(event, endDrag)
  input.addEventListener('pointerleave', () => {
    if (!isDragged) preview.hide()
  })

  return {
    /** @param {{chapters: typeof chapters, ranges: typeof ranges}} film */
    show(film) {
      chapters = film.chapters
      ranges = film.ranges
      drawLength()
    },
  }
}

/** A mark at a share of the time line, 0 to 1, or between two. */
function markOf(kind, from, to = from) {
  const mark = document.createElement('span')
  mark.className = `mark-${kind}`
  mark.style.left = `${from * 100}%`
  if (to > from) mark.style.width = `${(to - from) * 100}%`
  return mark
}
