import { formatDuration } from '../listen/format-duration.js'
import { loadStoryboard, pictureAt } from './storyboard.js'

/**
 * The picture, the time and the chapter of a position, shown above the time line.
 * @param {HTMLElement} frame contains `.preview-picture`, `.preview-chapter` and `.preview-time`
 */
export function createPreview(frame) {
  const [picture, chapter, time] = ['picture', 'chapter', 'time'].map((name) => frame.querySelector(`.preview-${name}`))
  /** @type {string | null} */
  let address = null
  /** @type {import('./storyboard.js').Picture[] | undefined} */
  let pictures
  let shownSeconds

  /** The storyboard is loaded when a position is first shown, because most viewers never need it. */
  async function load() {
    pictures = []
    const wanted = address
    const loaded = await loadStoryboard(wanted)
    if (address !== wanted) return
    pictures = loaded
    if (!frame.hidden) showPicture(shownSeconds)
  }

  function showPicture(seconds) {
    const place = pictureAt(pictures ?? [], seconds)
    picture.hidden = place === undefined
    if (place === undefined) return
    Object.assign(picture.style, {
      width: `${place.width}px`,
      height: `${place.height}px`,
      backgroundImage: `url(${JSON.stringify(place.address)})`,
      backgroundPosition: `-${place.x}px -${place.y}px`,
    })
  }

  return {
    /** @param {string | null} storyboard the address of a WebVTT storyboard; null for a film without pictures */
    offer(storyboard) {
      address = storyboard
      pictures = undefined
      frame.hidden = true
    },
    /**
     * @param {{seconds: number, title: string, left: number, width: number}} position `left` and `width` in pixels: the place on the time
     * line, and its length, which the preview does not exceed
     */
    show({ seconds, title, left, width }) {
      shownSeconds = seconds
      if (address !== null && pictures === undefined) void load()
      showPicture(seconds)
      chapter.textContent = title
      chapter.hidden = title === ''
      time.textContent = formatDuration(seconds)
      frame.hidden = false
      const half = frame.offsetWidth / 2
      frame.style.left = `${Math.max(half, Math.min(width - half, left))}px`
    },
    hide() {
      frame.hidden = true
    },
  }
}
