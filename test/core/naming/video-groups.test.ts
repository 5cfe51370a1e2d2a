import t from 'tap'
import { groupVideoFiles } from '../../../src/core/naming/versions/multi-version.ts'
import { groupStacks } from '../../../src/core/naming/versions/stacks.ts'
import { rowsOf, scoreRows } from '../../support/naming-rows.ts'

type StackRow = {
  case: string
  entries: string[]
  stack_count: number
  stacks?: { name: string; parts: number }[]
  src: string
}

void t.test('parts of one film are grouped', (t) => {
  scoreRows(t, 'stacks', rowsOf<StackRow>('stacks'), (row) => {
    const stacks = groupStacks(row.entries)
    const expected = (row.stacks ?? []).map(({ name, parts }) => `${name}: ${parts}`).toSorted()
    const actual = stacks
      .map(({ name, paths }) => `${name.slice(name.lastIndexOf('/') + 1)}: ${paths.length}`)
      .toSorted()
    const isRight = stacks.length === row.stack_count && (row.stacks === undefined || expected.join() === actual.join())
    return isRight ? undefined : `${row.case} -> ${actual.join(', ')}, not ${row.stack_count} ${expected.join(', ')}`
  })
  t.end()
})

type ListRow = {
  case: string
  files: string[]
  item_count?: number
  main_count?: number
  extra_count?: number
  extra_types?: string[]
  alternate_counts_by_index?: Record<string, number>
  primary?: string
  alternates_in_order?: string[]
  collection_type?: string
  src: string
}

function isRightList(row: ListRow): boolean {
  const { items, extras } = groupVideoFiles(row.files, row.collection_type === 'tvshows' ? 'series' : 'movies')
  const paths = items[0]?.versions.map(({ paths }) => paths[0]) ?? []
  const alternates = Object.entries(row.alternate_counts_by_index ?? {})
  const expected: [given: unknown, actual: unknown][] = [
    [row.item_count, items.length + extras.length],
    [row.main_count, items.length],
    [row.extra_count ?? row.extra_types?.length, extras.length],
    [row.primary, paths[0]],
    [row.alternates_in_order?.join(), paths.slice(1).join()],
    ...alternates.map(([at, count]) => [count, (items[Number(at)]?.versions.length ?? 0) - 1] as [number, number]),
  ]
  return expected.every(([given, actual]) => given === undefined || given === actual)
}

for (const set of ['multi_version', 'video_lists']) {
  void t.test(`versions, parts and extras of ${set}`, (t) => {
    scoreRows(t, set, rowsOf<ListRow>(set), (row) => {
      const { items, extras } = groupVideoFiles(row.files, row.collection_type === 'tvshows' ? 'series' : 'movies')
      return isRightList(row) ? undefined : `${row.case} -> ${JSON.stringify({ items, extras })}`
    })
    t.end()
  })
}

void t.test('the parts of a stack are in order, and a missing word or a repeated part breaks it', (t) => {
  const parts = ['Film part10.mkv', 'Film part2.mkv', 'Film part1.mkv']
  t.strictSame(groupStacks(parts), [{ name: 'Film', paths: parts.toReversed() }])
  t.strictSame(groupStacks(['a/Film - cd1.avi', 'b/Film - cd2.avi']), [], 'in two folders')
  t.strictSame(groupStacks(['Depart 1.mkv', 'Depart 2.mkv']), [], 'within a word')
  t.strictSame(groupStacks(['Film cd1.avi', 'Film.cd1.avi']), [], 'twice the same part')
  t.end()
})

const SERIES: [claim: string, names: string[], episodes: number][] = [
  ['a numbered run below a season', ['Show - 001.mkv', 'Show - 101.mkv', 'Show - 201.mkv'], 3],
  ['letters behind the number', ['Show S01E01a.mkv', 'Show S01E01b.mkv'], 2],
  ['two titles', ['Show - S01E01 - The Fog.mkv', 'Show - S01E01 - The Frost.mkv', 'Show - S01E01.mkv'], 3],
  ['two titles on one day', ['Show 2019-03-04 Ada Lovelace.mkv', 'Show 2019-03-04 Alan Turing.mkv'], 2],
  ['volumes', ['Show Vol 1 - 01.mkv', 'Show Vol 2 - 01.mkv'], 2],
  ['a sequel', ['Show - 01.mkv', 'Show R2 - 01.mkv'], 2],
  ['specials of two kinds', ['Show SP01.mkv', 'Show OVA 1.mkv'], 2],
  ['one title with labels', ['Show - S01E01 - Fog - Aired.mkv', 'Show - S01E01 - Fog - Uncut.mkv'], 1],
  ['one title or none', ['Show - S01E01 - Fog.mkv', 'Show S01E01 720p.mkv'], 1],
  ['titles that differ in a voicing mark', ['Show - S01E01 - か.mkv', 'Show - S01E01 - が.mkv'], 2],
  ['titles that differ in a vowel sign', ['Show - S01E01 - कि.mkv', 'Show - S01E01 - कु.mkv'], 2],
  ['a title of symbols beside one of words', ['Show - S01E02 - !!!.mkv', 'Show - S01E02 - Pilot.mkv'], 2],
  ['one title with and without accents', ['Show - S01E01 - Été.mkv', 'Show - S01E01 - Ete 720p.mkv'], 1],
  ['series that differ in a voicing mark', ['か S01E01.mkv', 'が S01E01.mkv'], 2],
  ['a second copy', ['Show S01E01.mkv', 'Show S01E01 (1).mkv'], 1],
]

void t.test('versions of an episode have one number and one title, and belong to no numbered run', (t) => {
  for (const [claim, names, episodes] of SERIES) {
    const { items } = groupVideoFiles(
      names.map((name) => `Show/Season 1/${name}`),
      'series',
    )
    t.equal(items.length, episodes, claim)
  }
  t.end()
})

void t.test('numbered films in one folder are not versions of each other', (t) => {
  const films = [
    'Saga/Saga - 01 - Dawn.mkv',
    'Saga/Saga - 02 - Dusk.mkv',
    'Saga/Saga - 02 - Dusk 4K.mkv',
    'Saga/Saga.mkv',
  ]
  t.strictSame(
    groupVideoFiles(films, 'movies').items.map(({ versions }) => versions.length),
    [1, 2, 1],
  )
  const resolutions = ['Film (2001)/Film (2001) - 720.mkv', 'Film (2001)/Film (2001) - 1080.mkv']
  t.equal(groupVideoFiles(resolutions, 'movies').items.length, 1, 'a resolution is not a number of a run')
  t.end()
})

void t.test('films with the same beginning are not versions of each other', (t) => {
  const paths = ['Alien/Alien.mkv', 'Alien/Aliens.mkv', 'Alien/Alien 3.mkv']
  t.equal(groupVideoFiles(paths, 'movies').items.length, 3)
  const versions = ['Film (2001)/Film (2001) - 1925 version.mkv', 'Film (2001)/Film (2001) - 1929 version.mkv']
  t.equal(groupVideoFiles(versions, 'movies').items.length, 1, 'a year in the label is not the year of the film')
  t.end()
})
