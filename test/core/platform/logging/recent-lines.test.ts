import t from 'tap'
import { loadConfig } from '../../../../src/core/platform/config/index.ts'
import { createLogger, createRecentLines } from '../../../../src/core/platform/logging/index.ts'
import { movableClock } from '../../../support/records.ts'

void t.test('the newest lines are kept, within both limits', (t) => {
  const clock = movableClock()
  const recent = createRecentLines(clock, { maxLines: 3, maxCharacters: 20 })
  t.strictSame([recent.lines(), recent.characters(), recent.lastWrittenAt()], [[], 0, clock.now()])
  for (let index = 1; index <= 100; index += 1) {
    clock.advance(1)
    recent.write(`line ${index}\n`)
    t.ok(recent.lines().length <= 3)
    t.equal(recent.lines().at(-1), `line ${index}`)
    t.equal(recent.characters(), recent.lines().join('').length)
  }
  t.strictSame(recent.lines(), ['line 99', 'line 100'], 'the characters limit it')
  t.strictSame(recent.lastWrittenAt(), clock.now())
  recent.write('a')
  recent.write('b')
  recent.write('c')
  recent.write('d')
  t.strictSame(recent.lines(), ['b', 'c', 'd'], 'the lines limit it')
  const long = 'x'.repeat(1000)
  recent.write(long)
  t.strictSame(recent.lines(), [long], 'the newest line is kept regardless of its length')
  recent.write('e')
  t.strictSame(recent.lines(), ['e'])
  t.end()
})

void t.test('the log in memory has the same redacted lines as the other destinations', async (t) => {
  const recentLines = createRecentLines()
  const config = loadConfig({ dataDirectory: t.testdir(), environment: {} })
  const written: string[] = []
  const destination = { write: (line: string) => void written.push(line) }
  const log = await createLogger(config, { destination, recentLines })
  log.child({ domain: 'test' }).notice({ password: 'canary' }, 'hello')
  log.debug('below the level')
  t.equal(recentLines.lines().length, 1)
  t.equal(`${recentLines.lines()[0]}\n`, written.join(''))
  t.notMatch(recentLines.lines()[0], 'canary')
})
