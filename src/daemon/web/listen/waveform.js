import { requestJson } from '../api.js'

const BAR = 3
const GAP = 2
/** The server computes the waveform once, at some seconds per hour of audio. Therefore the client polls. */
const FIRST_WAIT_MILLISECONDS = 1500
const MAX_WAIT_MILLISECONDS = 20_000
const MAX_POLLS = 60

/**
 * The waveform of the book, or a plain line until it is available.
 * @param {HTMLCanvasElement} canvas
 */
export function createWaveform(canvas) {
  const context = canvas.getContext('2d')
  let points
  let view = { from: 0, to: 1, at: 0, total: 1, marks: [] }

  /** @param next `from`, `to`, `at`, `total` and `marks` in seconds of the book */
  function show(next) {
    view = next
    draw()
  }

  function draw() {
    const { devicePixelRatio: scale } = globalThis
    const { clientWidth: width, clientHeight: height } = canvas
    if (canvas.width !== Math.round(width * scale) || canvas.height !== Math.round(height * scale)) {
      canvas.width = Math.round(width * scale)
      canvas.height = Math.round(height * scale)
    }
    context.setTransform(scale, 0, 0, scale, 0, 0)
    context.clearRect(0, 0, width, height)
    drawBars(width, height)
    drawMarks(width, height)
  }

  function drawBars(width, height) {
    const style = getComputedStyle(canvas)
    const [played, ahead] = [style.getPropertyValue('--accent'), style.getPropertyValue('--wave')]
    const here = ((view.at - view.from) / (view.to - view.from)) * width
    for (let x = 0; x < width; x += BAR + GAP) {
      const level = levelBetween(x / width, (x + BAR + GAP) / width)
      const tall = Math.max(BAR, level * (height - 14))
      context.fillStyle = x + BAR / 2 <= here ? played : ahead
      context.beginPath()
      context.roundRect(x, 10 + (height - 14 - tall) / 2, BAR, tall, BAR / 2)
      context.fill()
    }
    context.fillStyle = played
    context.beginPath()
    context.roundRect(Math.min(Math.max(here - 1, 0), width - 2), 4, 2, height - 4, 1)
    context.fill()
  }

  /** The starts of chapters. */
  function drawMarks(width) {
    context.fillStyle = getComputedStyle(canvas).getPropertyValue('--mark')
    for (const mark of view.marks) {
      if (mark <= view.from || mark >= view.to) continue
      const x = ((mark - view.from) / (view.to - view.from)) * width
      context.beginPath()
      context.arc(x, 4, 2, 0, 2 * Math.PI)
      context.fill()
    }
  }

  /** The maximum of the points between two positions of the view, each from 0 to 1. */
  function levelBetween(first, last) {
    if (points === undefined) return 0
    const pointAt = (fraction) => ((view.from + fraction * (view.to - view.from)) / view.total) * points.length
    const [from, to] = [Math.floor(pointAt(first)), Math.ceil(pointAt(last))]
    let loudest = 0
    for (let index = from; index < Math.max(to, from + 1); index += 1) loudest = Math.max(loudest, points[index] ?? 0)
    return loudest / 100
  }

  new ResizeObserver(draw).observe(canvas)
  matchMedia('(prefers-color-scheme: light)').addEventListener('change', draw)

  return {
    show,
    /** Requests the waveform until it is available. The plain line remains after a failure. */
    async load(bookId) {
      let wait = FIRST_WAIT_MILLISECONDS
      for (let count = 0; count < MAX_POLLS; count += 1) {
        const reply = await requestJson(`/api/v1/audiobooks/${bookId}/waveform`)
        if (reply.points !== null) {
          points = reply.points
          canvas.dataset['points'] = String(points.length)
          return draw()
        }
        await new Promise((resolve) => setTimeout(resolve, wait))
        wait = Math.min(wait * 1.5, MAX_WAIT_MILLISECONDS)
      }
    },
  }
}
