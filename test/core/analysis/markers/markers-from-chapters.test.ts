import t from 'tap'
import { markersFromChapters } from '../../../../src/core/analysis/markers/markers-from-chapters.ts'

const chapter = (title: string | null, startSeconds: number, endSeconds: number) => ({
  title,
  startSeconds,
  endSeconds,
})
const typesOf = (title: string, seconds = 60) =>
  markersFromChapters([chapter(title, 0, seconds)]).map(({ type }) => type)

void t.test('chapter names of eight languages name the parts of a film', async (t) => {
  const names = {
    intro: [
      'Intro',
      'OP',
      'Opening',
      'Opening Credits',
      '01 - Intro',
      'Vorspann',
      'Générique',
      'Title Sequence.',
      'Sigla',
    ],
    outro: [
      'Outro',
      'ED',
      'Credits',
      'End Credits',
      'Closing Credits',
      'Abspann',
      'Générique de fin',
      'エンディング',
      'Créditos',
    ],
    recap: ['Recap', 'Previously on The Wire', 'Was bisher geschah', 'Rückblick', 'Résumé'],
    preview: ['Preview', 'Next time', 'Next Episode Preview', 'Vorschau', '次回予告'],
  }
  for (const [type, titles] of Object.entries(names))
    for (const title of titles) t.strictSame(typesOf(title), [type], title)
})

void t.test('other names, and names inside of longer ones, name nothing', async (t) => {
  const titles = [
    'Chapter 1',
    'The Introduction of Mr. Smith',
    'Credit where it is due',
    'Opened',
    'Edwin',
    'Operation',
    '',
    '   ',
    '07',
  ]
  for (const title of titles) t.strictSame(typesOf(title), [], title)
  t.strictSame(markersFromChapters([chapter(null, 0, 60)]), [])
  t.strictSame(markersFromChapters([]), [])
})

void t.test('a part is neither shorter nor longer than such parts are', async (t) => {
  t.strictSame(typesOf('Intro', 9), [])
  t.strictSame(typesOf('Intro', 10), ['intro'])
  t.strictSame(typesOf('Introduction', 181), [], 'a long introduction is a chapter of the story')
  t.strictSame(typesOf('Credits', 9), [])
  t.strictSame(typesOf('Credits', 900), ['outro'])
})

void t.test('the first intro and the last credits count; times are milliseconds', async (t) => {
  const chapters = [
    chapter('Intro', 1.5, 31.25),
    chapter('Part 1', 31.25, 900),
    chapter('Intro', 900, 930),
    chapter('Credits', 1000, 1020),
    chapter('Credits', 1100, 1160),
  ]
  t.match(markersFromChapters(chapters), [
    { type: 'intro', startMilliseconds: 1500, endMilliseconds: 31_250, source: 'chapters' },
    { type: 'outro', startMilliseconds: 1_100_000, endMilliseconds: 1_160_000 },
  ])
})

void t.test('a hostile title costs no time that grows with its length', async (t) => {
  for (const title of [
    'previously on '.repeat(10_000),
    ' '.repeat(100_000),
    '0'.repeat(100_000),
    '\u0301'.repeat(100_000),
  ])
    t.strictSame(typesOf(title), [])
})
