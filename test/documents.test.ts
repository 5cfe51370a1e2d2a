import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
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
  const listed = listedThreats(pages.join('
'))
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

void t.test('every relative link in the documents leads to a file', (t) => {
  const pages = globSync(['*.md', 'docs/**/*.md', 'src/**/*.md'], { cwd: root })
  t.ok(pages.length > 5, 'pages were found')
  for (const page of pages) {
    const text = readFileSync(join(root, page), 'utf8')
    for (const match of text.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)) {
      t.ok(existsSync(join(root, dirname(page), match[1] ?? '')), `${page}: ${match[1]}`)
    }
  }
  t.end()
})

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
