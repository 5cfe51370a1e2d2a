import t from 'tap'
import { renderBars } from '../../../../src/commands/_support/output/bar-chart.ts'
import { describeDuration } from '../../../../src/commands/_support/output/describe-duration.ts'
import type { Output } from '../../../../src/commands/_support/output/output.ts'

/** An output with a width; styles are shown as brackets. */
function outputOfWidth(width: number | undefined, isColoured = false): Output {
  return {
    result: () => {},
    message: () => {},
    style: (_stream, _style, text) => (isColoured ? `[${text}]` : text),
    width: () => width,
  }
}

const bars = [
  { label: '2026-01-01', value: 0, note: '' },
  { label: '2026-01-02', value: 16, note: '16 plays' },
  { label: '2026-01-03', value: 5, note: '5 plays' },
  { label: '2026-01-04', value: 0.001, note: '1 play' },
]

void t.test('the largest value fills the terminal, the others proportionally, to an eighth of a character', (t) => {
  t.strictSame(renderBars(bars, outputOfWidth(38)).split('\n'), [
    '2026-01-01',
    '2026-01-02  ████████████████  16 plays',
    '2026-01-03  █████             5 plays',
    '2026-01-04  ▏                 1 play',
  ])
  const [, , third = ''] = renderBars(bars, outputOfWidth(37)).split('\n')
  t.match(third, '2026-01-03  ████▊ ')
  t.end()
})

void t.test('no line is wider than the terminal, and none is made for a wide one', (t) => {
  for (const width of [1, 5, 10, 20, 22, 23, 24, 30, 60, 80, 500]) {
    const names = ['a', 'a name that is much longer than any terminal is wide '.repeat(20), '😀'.repeat(50)]
    const long = names.map((label, value) => ({ label, value, note: `${value} plays of something` }))
    const lines = renderBars(long, outputOfWidth(width)).split('\n')
    t.ok(
      lines.every((line) => Array.from(line).length <= Math.max(width, 4)),
      `${width} columns`,
    )
  }
  t.match(renderBars(bars, outputOfWidth(undefined)), `2026-01-02  ${'█'.repeat(58)}  16 plays`, 'no terminal')
  t.match(renderBars(bars, outputOfWidth(0)), `2026-01-02  ${'█'.repeat(58)}  16 plays`, 'one without a width')
  t.match(renderBars(bars, outputOfWidth(500)), `2026-01-02  ${'█'.repeat(60)}  16 plays`)
  t.end()
})

void t.test('colour is for the bar alone; a label cannot move the cursor; nothing is nothing', (t) => {
  const bar = { label: 'a\u001b[2Jb\nc', value: 1, note: 'x' }
  t.equal(renderBars([bar], outputOfWidth(20, true)), 'ab?c  [███████████]  x')
  t.equal(renderBars([], outputOfWidth(20)), '')
  t.equal(renderBars([{ label: 'a', value: 0, note: '' }], outputOfWidth(20)), 'a')
  t.end()
})

void t.test('durations are readable', (t) => {
  for (const [seconds, text] of [
    [0, '0 s'],
    [59, '59 s'],
    [60, '1 min'],
    [3599, '59 min'],
    [3600, '1 h 00 min'],
    [11_100, '3 h 05 min'],
    [400_000, '111 h 06 min'],
  ] as const) {
    t.equal(describeDuration(seconds), text)
  }
  t.end()
})
