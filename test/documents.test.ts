import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import t from 'tap'
import { citedThreats, listedThreats, THREAT_PAGES } from '../scripts/threat-pages.ts'
import { generatedPages } from '../scripts/write-documents.ts'

const root = join(import.meta.dirname, '..')

void t.test('the pages that mirror code are up to date (npm run docs)', async (t) => {
  for (const [path, text] of Object.entries(await generatedPages())) {
    t.equal(readFileSync(join(root, path), 'utf8'), text, path)
  }
})

void t.test('every id of a threat or fault that a test cites is explained, and each of them has a test', (t) => {
  const pages = THREAT_PAGES.map((page) => readFileSync(join(root, page), 'utf8'))
  const listed = listedThreats(pages.join('\n'))
  t.strictSame(
    [...citedThreats(root).keys()].filter((id) => !listed.has(id)),
    [],
    'ids without a row',
  )
  t.strictSame(
    [...listed].filter(([, files]) => files === '').map(([id]) => id),
    [],
    'rows without a test',
  )
  t.ok(listed.size > 100)
  t.end()
})

/** The relative links of a page, with the heading that each of them names. */
function linksOf(page: string): { target: string; anchor: string | undefined }[] {
  const text = readFileSync(join(root, page), 'utf8').replaceAll(/^```[\s\S]*?^```$/gm, '')
  const links = [...text.matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)/g)]
  return links.map(([, path = '', anchor]) => ({ target: path === '' ? page : join(dirname(page), path), anchor }))
}

/** The anchors of a page's headings, as GitHub makes them. */
function anchorsOf(page: string): string[] {
  const headings = [...readFileSync(join(root, page), 'utf8').matchAll(/^#+ (.+)$/gm)]
  return headings.map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

void t.test('every relative link in the documents leads to a file, and to a heading if it names one', (t) => {
  const pages = globSync(['*.md', 'docs/**/*.md', 'src/**/*.md'], { cwd: root })
  t.ok(pages.length > 5, 'pages were found')
  for (const page of pages) {
    for (const { target, anchor } of linksOf(page)) {
      if (!t.ok(existsSync(join(root, target)), `${page}: ${target}`) || anchor === undefined) continue
      t.ok(anchorsOf(target).includes(anchor), `${page}: ${target}#${anchor}`)
    }
  }
  t.end()
})

void t.test('every path of the project that a document names exists', (t) => {
  const inCore = /^(?:src\/core\/|core\/)?(platform\/.*)$/
  for (const page of globSync(['*.md', 'docs/**/*.md', 'src/**/*.md'], { cwd: root })) {
    const named = /`((?:src|core|platform|daemon|commands|test|scripts|bin|bench|contrib|migrations)\/[^` ]+)`/g
    for (const [, path = ''] of readFileSync(join(root, page), 'utf8').matchAll(named)) {
      const inSource = /^(?:core|daemon|commands)\//.test(path) ? `src/${path}` : path.replace(inCore, 'src/core/$1')
      t.ok(globSync(inSource, { cwd: root }).length > 0, `${page}: ${path}`)
    }
  }
  t.end()
})

void t.test(
  'the list of decisions has the number and the title of each page, and the name of a page begins as its title',
  (t) => {
    const list = readFileSync(join(root, 'docs/decisions/README.md'), 'utf8')
    const pages = globSync('docs/decisions/0*.md', { cwd: root }).toSorted()
    t.ok(pages.length > 40)
    for (const page of pages) {
      const [, number = '', title = ''] = /^# (\d+)\. (.+)$/m.exec(readFileSync(join(root, page), 'utf8')) ?? []
      const words = title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
      const name = basename(page, '.md')
      t.ok(`${number.padStart(4, '0')}-${words}`.startsWith(name), `${name}: ${title}`)
      t.ok(list.includes(`- [${number}. ${title}](${name}.md)`), `${name} is listed`)
    }
    t.end()
  },
)

void t.test('every page below docs is found from README.md by links', (t) => {
  const found = new Set<string>()
  const waiting = ['README.md']
  for (let page = waiting.pop(); page !== undefined; page = waiting.pop()) {
    if (found.has(page)) continue
    found.add(page)
    for (const match of readFileSync(join(root, page), 'utf8').matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+\.md)/g)) {
      waiting.push(normalize(join(dirname(page), match[1] ?? '')))
    }
  }
  for (const page of globSync('docs/**/*.md', { cwd: root })) t.ok(found.has(page), page)
  t.end()
})

void t.test('README.md is short, and its pictures are small', (t) => {
  const text = readFileSync(join(root, 'README.md'), 'utf8')
  t.ok(text.split('\n').length <= 120, 'at most 120 lines')
  const pictures = [...text.matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)].map(([, path = '']) => path)
  t.equal(pictures.length, 2)
  for (const path of pictures) t.ok(statSync(join(root, path)).size < 150_000, path)
  t.end()
})

void t.test('docs/first-change.md names files that exist, and its diffs apply to them', (t) => {
  const text = readFileSync(join(root, 'docs/first-change.md'), 'utf8')
  const named = /`([A-Za-z./-]+\.(?:ts|md))`/g
  for (const [, path = ''] of text.matchAll(named)) t.ok(existsSync(join(root, path)), path)
  const diffs = [...text.matchAll(/^```diff\n([\s\S]*?)^```$/gm)]
  t.ok(diffs.length > 10, 'diffs were found')
  for (const { index, 1: diff = '' } of diffs) {
    const path = [...text.slice(0, index).matchAll(named)].at(-1)?.[1] ?? ''
    const lines = diff.trimEnd().split('\n')
    const before = lines.filter((line) => !line.startsWith('+')).map((line) => line.slice(1))
    t.ok(readFileSync(join(root, path), 'utf8').includes(`${before.join('\n')}\n`), `${path}: ${before.join(' / ')}`)
  }
  t.end()
})

void t.test('every npm script, benchmark and soak that a document names exists', (t) => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object }
  const runnable = {
    bench: readFileSync(join(root, 'bench/run.ts'), 'utf8'),
    soak: readFileSync(join(root, 'test/soak/soaks.ts'), 'utf8'),
  }
  for (const page of globSync(['*.md', 'docs/**/*.md', 'src/**/*.md'], { cwd: root })) {
    const text = readFileSync(join(root, page), 'utf8').replaceAll('\n', ' ')
    for (const [, script = '', name] of text.matchAll(/npm run (?:--silent )?([a-z]+)(?: -- ([a-z][a-z-]+))?/g)) {
      t.ok(script in scripts, `${page}: npm run ${script}`)
      if (name === undefined || (script !== 'bench' && script !== 'soak')) continue
      t.match(runnable[script], new RegExp(`^  '?${name}'?[:,(]`, 'm'), `${page}: npm run ${script} -- ${name}`)
    }
  }
  t.end()
})
