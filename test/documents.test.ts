import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import { generatedPages } from '../scripts/write-documents.ts'

const root = join(import.meta.dirname, '..')

void t.test('the pages that mirror code are up to date (npm run docs)', async (t) => {
  for (const [path, text] of Object.entries(await generatedPages())) {
    t.equal(readFileSync(join(root, path), 'utf8'), text, path)
  }
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
