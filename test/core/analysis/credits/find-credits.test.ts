import t from 'tap'
import { findCredits, type FrameBrightness } from '../../../../src/core/analysis/credits/find-credits.ts'

const scene = (seconds: number): FrameBrightness => ({ seconds, ninetiethPercentile: 150, brightest: 255 })
const text = (seconds: number): FrameBrightness => ({ seconds, ninetiethPercentile: 5, brightest: 200 })
const black = (seconds: number): FrameBrightness => ({ seconds, ninetiethPercentile: 0, brightest: 3 })

/** Frames every two seconds. */
const frames = (from: number, to: number, frame: (seconds: number) => FrameBrightness): FrameBrightness[] =>
  Array.from({ length: Math.max(0, (to - from) / 2) }, (_, index) => frame(from + index * 2))

void t.test('text on black until the end is the credits', async (t) => {
  t.strictSame(findCredits([...frames(800, 900, scene), ...frames(900, 1000, text)], 1000), {
    notBeforeSeconds: 898,
    startSeconds: 900,
    endSeconds: 1000,
  })
})

void t.test('a logo and black after the text belong to the credits, a scene after them does not', async (t) => {
  const credits = [...frames(800, 900, scene), ...frames(900, 960, text)]
  t.match(findCredits([...credits, ...frames(960, 966, scene), ...frames(966, 970, black)], 970), { endSeconds: 970 })
  t.match(findCredits([...credits, ...frames(960, 1060, scene)], 1060), { startSeconds: 900, endSeconds: 958 })
})

void t.test('pictures between the text do not divide the credits', async (t) => {
  const found = findCredits([...frames(900, 930, text), ...frames(930, 940, scene), ...frames(940, 1000, text)], 1000)
  t.match(found, { startSeconds: 900, endSeconds: 1000 })
})

void t.test('when it is not sure it finds nothing', async (t) => {
  t.equal(findCredits(frames(800, 1000, scene), 1000), undefined, 'no text')
  t.equal(findCredits(frames(800, 1000, black), 1000), undefined, 'black without text')
  t.equal(findCredits([...frames(800, 984, scene), ...frames(984, 1000, text)], 1000), undefined, 'too short')
  t.equal(
    findCredits([...frames(500, 600, text), ...frames(600, 1000, scene)], 1000),
    undefined,
    'too far from the end',
  )
  const sparse = Array.from({ length: 10 }, (_, index) => [
    text(900 + index * 10),
    ...frames(902 + index * 10, 910 + index * 10, scene),
  ])
  t.equal(findCredits(sparse.flat(), 1000), undefined, 'a dark scene with few such frames')
  t.equal(findCredits([], 1000), undefined)
})
