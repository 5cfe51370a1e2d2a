import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The pages of the browser: the name of each, and its HTML file below src/daemon/web. */
const PAGES: Readonly<Record<string, string>> = {
  index: 'index.html',
  listen: 'listen/listen.html',
  share: 'share/index.html',
  hub: 'hub/index.html',
}

/** One page: its HTML, and what its HTML asks for, as paths relative to src/daemon/web. */
export type PageSource = { name: string; html: string; styles: string[]; script: string }

const STYLE = /[ ]*<link rel="stylesheet" href="\/assets\/([^"]+)" \/>\n/g
const SCRIPT = /[ ]*<script type="module" src="\/assets\/([^"]+)"><\/script>\n/g

/**
 * Reads the HTML of all pages.
 * @throws Error for a page that has not exactly one script
 */
export function readPageSources(folder: string): PageSource[] {
  return Object.entries(PAGES).map(([name, path]) => {
    const html = readFileSync(join(folder, path), 'utf8')
    const styles = namesIn(html, STYLE)
    const [script, ...more] = namesIn(html, SCRIPT)
    if (script === undefined || more.length > 0) throw new Error(`${path} must have exactly one <script>`)
    return { name, html, styles, script }
  })
}

/** The HTML of a built page: one style sheet, the script, and a hint for each file that the script imports, so that all arrive at once. */
export function builtHtml({ html }: PageSource, built: { style: string; script: string; imports: string[] }): string {
  const lines = [
    `<link rel="stylesheet" href="/assets/${built.style}" />`,
    ...built.imports.map((name) => `<link rel="modulepreload" href="/assets/${name}" />`),
    `<script type="module" src="/assets/${built.script}"></script>`,
  ]
  const withoutStyles = html.replace(STYLE, '')
  return withoutStyles.replace(SCRIPT, () => lines.map((line) => `    ${line}\n`).join(''))
}

function namesIn(html: string, pattern: RegExp): string[] {
  return [...html.matchAll(pattern)].map(([, name = '']) => name)
}
