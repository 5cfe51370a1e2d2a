import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import t from 'tap'
import { seededRandom } from '../support/seeded-random.ts'
import { SOAKS } from './soaks.ts'

/**
 * `npm run soak -- [NAME...] [--seed N] [--rounds N | --minutes N]`: the long random forms of tests of the suite, all of them unless
 * some are named, one round unless more are asked for. Round R of seed S is round 0 of seed S + R, so that a failed round can be
 * repeated alone. It ends after the first round that fails.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: 'string' }, rounds: { type: 'string' }, minutes: { type: 'string' } },
})

function count(option: 'seed' | 'rounds' | 'minutes'): number | undefined {
  const text = values[option]
  if (text === undefined) return undefined
  if (!/^\d{1,10}$/.test(text)) throw new Error(`--${option} takes a number: ${text}`)
  return Number(text)
}

const names = positionals.length === 0 ? Object.keys(SOAKS) : positionals
const unknown = names.filter((name) => !(name in SOAKS))
if (unknown.length > 0) throw new Error(`unknown: ${unknown.join(', ')}; there are ${Object.keys(SOAKS).join(', ')}`)
const seed = count('seed') ?? randomInt(2 ** 31)
const minutes = count('minutes')
const rounds = count('rounds') ?? (minutes === undefined ? 1 : Infinity)
const end = minutes === undefined ? Infinity : Date.now() + minutes * 60_000

t.setTimeout(0)
t.comment(`seed ${seed}`)
for (let round = 0; round < rounds && Date.now() < end && t.passing(); round += 1) {
  for (const name of names) {
    const ownSeed = seed + round
    const soak = SOAKS[name]
    await t.test(`${name}, seed ${ownSeed}`, { timeout: 0 }, (t) => soak?.(t, seededRandom(ownSeed)))
    if (t.passing()) continue
    process.stderr.write(`failed; to repeat it: npm run soak -- ${name} --seed ${ownSeed} --rounds 1\n`)
    break
  }
}
