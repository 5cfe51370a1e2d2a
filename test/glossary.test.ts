import { existsSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join, normalize } from 'node:path'
import t from 'tap'
import { TIERS } from '../scripts/check-layers.ts'

const root = join(import.meta.dirname, '..')
const readPage = (path: string): string => readFileSync(join(root, path), 'utf8')
const glossary = readPage('docs/glossary.md')
const rows = [
  ...glossary.matchAll(/^\| (?<term>[^|]+) \| (?<meaning>[^|]+) \| \[(?<shown>[^\]]+)\]\((?<link>[^)]+)\) \|$/gm),
].map(({ groups }) => ({
  term: groups?.['term'] ?? '',
  path: normalize(join('docs', groups?.['link'] ?? '')),
  shown: groups?.['shown'] ?? '',
}))

/** Folders of core whose subfolders are the stages of one process, in the order of docs/architecture.md. */
const STAGED = ['streaming', 'scanning', 'catalogue', 'naming']

/** The text of a file without comments, and its name. A name in a comment does not count. */
function namesIn(path: string): string {
  const code = readPage(path).replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
  return `${basename(path)}\n${code}`
}

function filesAt(path: string): string[] {
  if (!statSync(join(root, path)).isDirectory()) return [path]
  return globSync(`${path}/**/*.ts`, { cwd: root })
}

/** `page anchor` is found in `page-anchors.ts`, `PageAnchor`, `pageAnchors` and `page_anchor`. */
function isNamedAt(term: string, path: string): boolean {
  const pattern = new RegExp(term.replaceAll(' ', '[-_]?'), 'i')
  return pattern.test(basename(path)) || filesAt(path).some((file) => pattern.test(namesIn(file)))
}

void t.test('the terms of the glossary are sorted, and each is explained once', (t) => {
  const terms = rows.map(({ term }) => term)
  t.ok(terms.length > 100)
  t.equal(terms.length, glossary.match(/^\| (?!term |---)/gm)?.length, 'every row is read')
  t.strictSame(terms, [...new Set(terms)].toSorted())
  t.end()
})

void t.test(
  'every term of the glossary is an identifier or a file name of the folder or file that it links to',
  (t) => {
    for (const { term, path, shown } of rows) {
      t.equal(`src/${shown}`.replace('src/scripts/', 'scripts/'), path, `${term}: the text of the link is its path`)
      if (t.ok(existsSync(join(root, path)), `${term}: ${path} exists`)) t.ok(isNamedAt(term, path), `${term}: ${path}`)
    }
    t.notOk(isNamedAt('no such term', 'src/core/catalogue'), 'a term without a name is found')
    t.end()
  },
)

void t.test('every folder of core is explained in src/core/README.md, in the order of the tiers', (t) => {
  const explained = [...readPage('src/core/README.md').matchAll(/^\| `([^`]+)` \| [^|]+ \|$/gm)].map(([, name]) => name)
  t.strictSame(explained, TIERS.flat())
  t.end()
})

void t.test('docs/architecture.md shows every folder of core, and every stage of the staged ones', (t) => {
  const page = readPage('docs/architecture.md')
  const layers = page.split('## Layers of core')[1]?.split('\n## ')[0] ?? ''
  t.strictSame(
    [...layers.matchAll(/`([a-z/-]+)`/g)].map(([, name]) => name),
    TIERS.flat(),
    'the layers',
  )
  for (const folder of STAGED) {
    const section = page.split(`### ${folder}\n`)[1]?.split(/\n##/)[0] ?? ''
    const explained = [...section.matchAll(/^\| `([a-z-]+)` \| [^|]+ \|$/gm)].map(([, name]) => name)
    const present = readdirSync(join(root, 'src/core', folder), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
    t.strictSame(new Set(explained), new Set(present), `the stages of ${folder}`)
    t.equal(explained.length, present.length, `each stage of ${folder} has one row`)
  }
  t.end()
})
