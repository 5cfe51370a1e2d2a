import t from 'tap'
import { parseDiscPart, detectDiscStructure, findFilmFolder } from '../../../../src/core/naming/video/disc-folder.ts'

const PARTS: [folder: string, file: string, part: number | null, firstFolder?: string][] = [
  ['Heat (2001)/CD2', 'heat.avi', 2, 'Heat (2001)/CD1'],
  ['Heat (2001)/Disc 02', 'Heat.avi', 2, 'Heat (2001)/Disc 01'],
  ['Heat/disk_3', 'heat.avi', 3, 'Heat/disk_1'],
  ['Films/Heat/DVD 12', 'Heat.avi', 12, 'Films/Heat/DVD 01'],
  ['Heat/Disc 2/VIDEO_TS', 'VTS_01_1.VOB', 2, 'Heat/Disc 1/VIDEO_TS'],
  ['Heat/Disc 2/BDMV/STREAM', '00800.m2ts', 2, 'Heat/Disc 1/BDMV/STREAM'],
  ['Boot/CD2', 'Das Boot cd2.avi', 2, 'Boot/CD1'],
  ['Heat (2001)/CD1', 'heat.avi', null],
  ['Heat (2001)/CD0', 'heat.avi', null],
  ['Heat/Part 2', 'Heat.avi', null],
  ['Heat/CD 2 Bonus', 'Heat.avi', null],
  ['CD2', 'heat.avi', null],
  ['Hitchcock/Disc 2', 'The Birds (1963).mkv', null],
  ['Hitchcock/Disc 2', 'The Birds cd1.mkv', null],
]

void t.test('the folder of a later disc belongs to that of the first, unless its file is another film', (t) => {
  for (const [folder, file, part, firstFolder] of PARTS) {
    t.strictSame(parseDiscPart(folder, file), part === null ? null : { part, firstFolder }, `${folder}/${file}`)
  }
  t.end()
})

void t.test(
  'of a DVD the largest title set without its menu counts, in the order of its pieces; of equal ones the first',
  (t) => {
    const sizes = new Map([
      ['VIDEO_TS.VOB', 9],
      ['VTS_01_0.VOB', 9],
      ['VTS_01_1.VOB', 6],
      ['VTS_02_1.VOB', 5],
      ['VTS_02_3.VOB', 1],
      ['VTS_02_2.VOB', 5],
      ['VTS_03_1.VOB', 7],
      ['VTS_03_2.VOB', 4],
    ])
    const sizeOf = (name: string): number => sizes.get(name) ?? 0
    const names = [...sizes.keys()].toReversed()
    t.strictSame(detectDiscStructure('Film/VIDEO_TS', names, sizeOf), {
      kind: 'dvd',
      folder: 'Film',
      mainFile: 'VTS_02_1.VOB',
      furtherFiles: ['VTS_02_2.VOB', 'VTS_02_3.VOB'],
    })
    t.match(detectDiscStructure('Film', names, sizeOf), { kind: 'dvd', folder: 'Film' })
    t.match(detectDiscStructure('video_ts', names, sizeOf), { folder: '' })
    t.match(
      detectDiscStructure('Film/VIDEO_TS', ['VIDEO_TS.VOB'], sizeOf),
      { mainFile: 'VIDEO_TS.VOB' },
      'a menu alone',
    )
    const streams = ['00001.m2ts', '00002.m2ts']
    t.strictSame(
      detectDiscStructure('a/Film/bdmv/Stream', streams, (name) => (name === '00002.m2ts' ? 2 : 1)),
      { kind: 'bluray', folder: 'a/Film', mainFile: '00002.m2ts', furtherFiles: [] },
      'of a Blu-ray the largest file',
    )
    t.match(detectDiscStructure('BDMV/STREAM', ['00001.m2ts'], sizeOf), { kind: 'bluray', folder: '' })
    t.end()
  },
)

void t.test('other folders hold no disc, and neither do those without a film', (t) => {
  for (const folder of ['Film', 'Film/AUDIO_TS', 'Film/STREAM', 'Film/BDMV', 'Film/VIDEO_TS/x', 'VIDEO_TS2', '']) {
    t.equal(
      detectDiscStructure(folder, ['film.vob', 'VTS_1_1.VOB', '00800.m2ts'], () => 1),
      undefined,
      folder,
    )
  }
  t.equal(
    detectDiscStructure('Film/VIDEO_TS', [], () => 1),
    undefined,
  )
  t.end()
})

void t.test('the folder of a film is above the folders of its discs', (t) => {
  const ROWS: [folder: string, file: string, film: string][] = [
    ['Film/VIDEO_TS', 'VTS_01_1.VOB', 'Film'],
    ['a/Film/bdmv/Stream', '00001.m2ts', 'a/Film'],
    ['Ran (1985)/CD1', 'ran.avi', 'Ran (1985)'],
    ['Ran (1985)/Disc 02/VIDEO_TS', 'VTS_01_1.VOB', 'Ran (1985)'],
    ['Das Boot/CD1', 'dasboot cd1.avi', 'Das Boot'],
    ['Hitchcock/Disc 1', 'Psycho (1960).mkv', 'Hitchcock/Disc 1'],
    ['Film', 'film.mkv', 'Film'],
    ['VIDEO_TS', 'VTS_01_1.VOB', 'VIDEO_TS'],
  ]
  for (const [folder, file, film] of ROWS) t.equal(findFilmFolder(folder, file), film, `${folder}/${file}`)
  t.end()
})
