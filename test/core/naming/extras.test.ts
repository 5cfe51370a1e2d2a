import t from 'tap'
import { extraTypeOf, isExtra } from '../../../src/core/naming/extras.ts'
import { rowsOf, scoreRows } from '../../support/naming-rows.ts'

type Row = { path: string; extra_type: string | null; library_root?: string; src: string }

/** The collection's words in ours: `BehindTheScenes` is `behind_the_scenes`. */
function typeOf(word: string | null): string | undefined {
  if (word === null) return undefined
  return word === 'Unknown' ? 'other' : word.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase()
}

void t.test('extras are told from films by folder, name and ending', (t) => {
  scoreRows(t, 'extras', rowsOf<Row>('extras'), ({ path, extra_type: expected, library_root: root }) => {
    const inside = root === undefined ? path : path.slice(root.length + 1)
    const actual = extraTypeOf(inside)
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
]

void t.test('films whose titles are words for extras stay films', (t) => {
  for (const [path, type] of BY_HAND) {
    t.equal(extraTypeOf(path), type, path)
    t.equal(isExtra(path), type !== undefined, path)
  }
  t.end()
})
