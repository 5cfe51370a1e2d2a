import t from 'tap'
import type { Output } from '../../../../src/commands/_support/output/output.ts'
import { createProgress, type ProgressSettings } from '../../../../src/commands/_support/progress/progress.ts'

type Recorded = { lines: string[]; settings: ProgressSettings }

/** Settings of a command without a terminal, and the recorded lines of stderr. */
function recorded(changes: Partial<ProgressSettings>, width?: number): Recorded {
  const lines: string[] = []
  const output: Output = {
    result: () => t.fail('progress must not write to stdout'),
    message: (text) => void lines.push(text),
    style: (_stream, _style, text) => text,
    width: () => width,
  }
  const settings: ProgressSettings = {
    title: 'Scanning "Films"',
    mode: 'auto',
    output,
    quiet: false,
    verbose: false,
    allowColour: true,
    framesPerSecond: 1,
    isDumbTerminal: false,
    ...changes,
  }
  return { lines, settings }
}

const status = { done: 504, total: 1204, currentPath: 'a\nb.mkv' }

void t.test('json is one object per line, and a summary at the end', async (t) => {
  const { lines, settings } = recorded({ mode: 'json' })
  const progress = await createProgress(settings)
  progress.update(status)
  progress.update({ ...status, done: 505 })
  await progress.end({ added: 3 })
  t.strictSame(
    lines.map((line) => JSON.parse(line) as unknown),
    [
      { message_type: 'status', percent: 0.419, done: 504, total: 1204, current_path: 'a\nb.mkv' },
      { message_type: 'summary', added: 3 },
    ],
  )
})

void t.test('work that failed has no summary', async (t) => {
  const { lines, settings } = recorded({ mode: 'json' })
  const progress = await createProgress(settings)
  await progress.end()
  t.strictSame(lines, [])
})

void t.test('before the total is known there is no percentage', async (t) => {
  const { lines, settings } = recorded({ mode: 'json' })
  const progress = await createProgress(settings)
  progress.update({ done: 3, total: null, currentPath: null })
  t.match(JSON.parse(lines[0] ?? ''), { percent: null, total: null, current_path: null })
})

void t.test('plain lines cannot be broken by a file name', async (t) => {
  const { lines, settings } = recorded({ mode: 'plain' })
  const progress = await createProgress(settings)
  progress.update(status)
  await progress.end({ added: 3 })
  t.strictSame(lines, ['Scanning "Films": 504 of 1204, a?b.mkv'])
})

void t.test(
  'auto shows nothing without a terminal or with --quiet, and lines where log output would break a bar',
  async (t) => {
    const cases: [claim: string, changes: Partial<ProgressSettings>, width: number | undefined, lines: number][] = [
      ['no terminal', {}, undefined, 0],
      ['quiet', { quiet: true }, 80, 0],
      ['log lines on the same terminal', { verbose: true }, 80, 1],
      ['a terminal that cannot move its cursor', { isDumbTerminal: true }, 80, 1],
      ['a terminal without a width', {}, 0, 1],
      ['none', { mode: 'none' }, 80, 0],
      ['an explicit mode beats --quiet', { mode: 'plain', quiet: true }, undefined, 1],
    ]
    for (const [claim, changes, width, count] of cases) {
      const { lines, settings } = recorded(changes, width)
      const progress = await createProgress(settings)
      progress.update(status)
      await progress.end()
      t.equal(lines.length, count, claim)
    }
  },
)
