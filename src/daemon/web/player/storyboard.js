/**
 * @typedef {{start: number, end: number, address: string, x: number, y: number, width: number, height: number}} Picture
 * A part of an image, in pixels, that shows the film from `start` to `end` in seconds
 */

const TIMES = /^(?:(\d{1,4}):)?(\d{2}):(\d{2}\.\d{3}) --> (?:(\d{1,4}):)?(\d{2}):(\d{2}\.\d{3})/
const PLACE = /^(.+)#xywh=(\d{1,5}),(\d{1,5}),(\d{1,5}),(\d{1,5})$/

/**
 * Loads a WebVTT storyboard. A film plays without pictures if it cannot be read.
 * @param {string} address
 * @returns {Promise<Picture[]>} in the order of time
 */
export async function loadStoryboard(address) {
  try {
    const reply = await fetch(address)
    return reply.ok ? parseStoryboard(await reply.text(), new URL(reply.url)) : []
  } catch {
    return []
  }
}

/**
 * Parses a WebVTT storyboard: cues whose text is the address of an image with the place of the picture, relative to the storyboard. Images
 * of other origins are ignored.
 * @param {string} text
 * @param {URL} base
 * @returns {Picture[]}
 */
export function parseStoryboard(text, base) {
  const lines = text.split(/\r\n|\r|\n/)
  return lines.flatMap((line, index) => {
    const times = TIMES.exec(line)
    const place = PLACE.exec(lines[index + 1] ?? '')
    if (times === null || place === null || !URL.canParse(place[1], base)) return []
    const address = new URL(place[1], base)
    const [x, y, width, height] = place.slice(2).map(Number)
    if (address.origin !== base.origin || width === 0 || height === 0) return []
    const [start, end] = [times.slice(1, 4), times.slice(4, 7)].map(secondsOf)
    return [{ start, end, address: address.href, x, y, width, height }]
  })
}

function secondsOf([hours = '0', minutes, seconds]) {
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
}

/**
 * The picture of a position: the last one that begins at or before it.
 * @param {readonly Picture[]} pictures
 */
export function pictureAt(pictures, seconds) {
  let [low, high] = [0, pictures.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (pictures[middle].start <= seconds) low = middle + 1
    else high = middle
  }
  return pictures[low - 1]
}
