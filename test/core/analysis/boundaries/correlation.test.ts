import t from 'tap'
import { findBestShift, Correlation, downsample } from '../../../../src/core/analysis/boundaries/correlation.ts'
import { seededRandom } from '../../../support/seeded-random.ts'

const noise = (length: number, seed: number): Float32Array => {
  const random = seededRandom(seed)
  return Float32Array.from({ length }, () => random.fraction() - 0.5)
}

void t.test('the same sound correlates at any volume, other sound and silence do not', async (t) => {
  const sound = noise(4000, 1)
  const quiet = sound.map((sample) => sample * 0.1)
  t.ok(new Correlation(sound, quiet, 0).at(500, 1000) > 0.999)
  t.ok(
    new Correlation(
      sound,
      sound.map((sample) => -sample),
      0,
    ).at(500, 1000) < -0.999,
  )
  t.ok(Math.abs(new Correlation(sound, noise(4000, 2), 0).at(500, 1000)) < 0.2)
  t.equal(new Correlation(sound, new Float32Array(4000), 0).at(500, 1000), 0)
})

void t.test('samples beyond the ends count as silence', async (t) => {
  const sound = noise(1000, 1)
  for (const lag of [-2000, -500, 0, 500, 2000]) {
    const correlation = new Correlation(sound, sound, lag)
    for (const first of [0, 300, 900]) t.ok(Number.isFinite(correlation.at(first, 100)), `${lag}, ${first}`)
  }
  t.equal(new Correlation(sound, sound, 2000).at(0, 1000), 0)
})

void t.test('the best lag is the shift of a copy, also at the limits of the search', async (t) => {
  const sound = noise(4000, 3)
  for (const shift of [-50, -1, 0, 17, 50]) {
    const copy = new Float32Array(4000)
    for (let index = 0; index < copy.length; index += 1) copy[index] = sound[index - shift] ?? 0
    const found = findBestShift(sound, 1000, copy, { length: 500, center: 0, reach: 50 })
    t.equal(found.samples, shift)
    t.ok(found.correlation > 0.999)
  }
  t.match(
    findBestShift(sound, 0, sound, { length: 500, center: 0, reach: 50 }),
    { samples: 0 },
    'no place before the start',
  )
})

void t.test('downsampling takes means', async (t) => {
  t.strictSame([...downsample(Float32Array.from([1, 3, 5, 7, 9]), 2)], [2, 6])
})
