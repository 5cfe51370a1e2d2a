import t from 'tap'
import { detectExtraType, isExtra, findExtrasOwnerFolder } from '../../../../src/core/naming/video/extra-types.ts'
import { rowsOf, scoreRows } from '../../../support/naming-rows.ts'

type Row = { path: string; extra_type: string | null; library_root?: string; src: string }

/** Converts the terms of the data set: `BehindTheScenes` is `behind_the_scenes`. */
function typeOf(word: string | null): string | undefined {
  if (word === null) return undefined
  return word === 'Unknown' ? 'other' : word.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase()
}

void t.test('extras are distinguished from films by folder, name and ending', (t) => {
  scoreRows(t, 'extras', rowsOf<Row>('extras'), ({ path, extra_type: expected, library_root: root }) => {
    const inside = root === undefined ? path : path.slice(root.length + 1)
    const actual = detectExtraType(inside)
    return actual === typeOf(expected) ? undefined : `${path} -> ${actual}, not ${expected}`
  })
  t.end()
})

const BY_HAND: [path: string, type: string | undefined][] = [
  ['Casablanca (1942)/Casablanca-x02-Making_Of.mkv', 'other'],
  ['Despicable Me/trailer.mkv', 'trailer'],
  ['Despicable Me/Despicable Me-trailer2.mp4', 'trailer'],
  ['Film (2001)/Sample/film.mkv', 'sample'],
  ['Film (2001)/Extras/Making of.mkv', 'other'],
  ['The Interview (2014).mkv', undefined],
  ['The Interview.mkv', undefined],
  ['Interview with the Vampire.mkv', undefined],
  ['Scene.mkv', undefined],
  ['Film-trailer.nfo', undefined],
  ['Film-trailer', undefined],
  ['', undefined],
  ['Film (2001)/Trailers/Theatrical.mkv', 'trailer'],
  ['Film (2001)/Trailers/Film-interview.mkv', 'interview'],
  ['Film (2001)/Trailers/Film-Behind-The-Scenes2.mkv', 'behind_the_scenes'],
  ['Film (2001)/Featurettes/Film-trailer.mkv', 'featurette'],
  ['theme.mp3', 'theme_song'],
  ['theme.mp4', 'theme_song'],
  ['Show/backdrop.mp4', 'theme_video'],
  ['backdrop.webm', 'theme_video'],
  ['Backdrop (2005).mkv', undefined],
  ['backdrop.jpg', undefined],
  ['Interview/Interview.mkv', undefined],
  ['Movies/Clip/clip.mkv', undefined],
  ['Film (2001)/Trailer/trailer.mkv', 'trailer'],
  ['Film (2001)/Extras/Other Film (2002)/Other Film (2002).mkv', undefined],
  ['Film (2001) Trailerpark.mkv', undefined],
  ['Movies/Shorts/La Luna/La Luna.mkv', undefined],
  ['Pixar/Shorts/La Luna/La Luna.mkv', undefined],
  ['Movies 4K/Other/La Luna/La Luna.mkv', undefined],
  ['Movies (2020)/Extras/La Luna/La Luna.mkv', undefined],
  ['Movies/Bonus/Disc 1/La Luna.mkv', undefined],
  ['TV/Other/Firefly/Firefly S01E01.mkv', undefined],
  ['Movies/Shorts/Clip/Clip.mkv', undefined],
  ['Shorts/Interview/Interview.mkv', undefined],
  ['Dune (2001)/Extras/Interview/Interview.mkv', 'interview'],
  ['Dune (2001)/Extras/Galleries/Costumes.mkv', 'other'],
  ['Dune {tmdb-78}/Extras/Galleries/Costumes.mkv', 'other'],
  ['Show/Season 1/Extras/Galleries/Costumes.mkv', 'other'],
  ['Dune/Extras/Disc 2/Costumes.mkv', 'other'],
]

void t.test('films whose titles are words for extras stay films', (t) => {
  for (const [path, type] of BY_HAND) {
    t.equal(detectExtraType(path), type, path)
    t.equal(isExtra(path), type !== undefined, path)
  }
  t.end()
})

const OWNERS: [folder: string, owner: string][] = [
  ['Film (2001)/Extras', 'Film (2001)'],
  ['Film (2001)/Extras/Interviews', 'Film (2001)'],
  ['Dune (1984)/Special Features/Disc 2', 'Dune (1984)'],
  ['Show/Season 1/Bonus', 'Show/Season 1'],
  ['Show/Extras/Season 1', 'Show/Extras/Season 1'],
  ['Movies/Shorts/La Luna', 'Movies/Shorts/La Luna'],
  ['TV/Other/Firefly', 'TV/Other/Firefly'],
  ['Dune/Extras/Disc 2', 'Dune'],
  ['Film (2001)', 'Film (2001)'],
  ['trailers', ''],
  ['', ''],
]

void t.test('a folder of extras belongs to the folder above all folders of extras', (t) => {
  for (const [folder, owner] of OWNERS) t.equal(findExtrasOwnerFolder(folder), owner, folder)
  t.end()
})
