import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Pages whose tables list ids of threats and faults, with the test files that cite them. */
export const THREAT_PAGES = ['docs/security.md', 'docs/reliability.md'] as const

const ROW = /^\| (?<id>[A-Z]{1,3}-\d\d) \| (?<what>[^|]+) \|[^|]*\|$/gm
const CITED = /\b(?:AZ|BR|F|FN|FZ|IM|IN|JWT|LG|PI|PW|RE|RG|RL|SS|SU|TG|WA|WC|WH|WS|XM)-\d\d\b/g

/** Test files by the ids that they cite, both sorted. */
export function citedThreats(root: string): Map<string, string[]> {
  const files = new Map<string, string[]>()
  for (const file of globSync('test/**/*.ts', { cwd: root }).toSorted()) {
    for (const id of new Set(readFileSync(join(root, file), 'utf8').match(CITED))) {
      files.set(id, [...(files.get(id) ?? []), file])
    }
  }
  return files
}

/** The page with its last column written again. Ids and threats are kept as they are. */
export function threatPage(root: string, page: string): string {
  const cited = citedThreats(root)
  return readFileSync(join(root, page), 'utf8').replaceAll(ROW, (_row, id: string, what: string) => {
    const links = (cited.get(id) ?? []).map(
      (file) => `[${file.replace(/^test\/(.*?)(?:\.test)?\.ts$/, '$1')}](../${file})`,
    )
    return `| ${id} | ${what} | ${links.join(', ')} |`
  })
}

/** The ids of a page, each with its test files. */
export function listedThreats(text: string): Map<string, string> {
  return new Map(
    [...text.matchAll(/^\| ([A-Z]{1,3}-\d\d) \|[^|]+\|([^|]*)\|$/gm)].map(([, id = '', files = '']) => [
      id,
      files.trim(),
    ]),
  )
}
