import { build, type Metafile, type Plugin } from 'esbuild'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import { builtHtml, readPageSources, type PageSource } from './page-sources.ts'

/** The browsers of the last four years; the pages use top-level `await`. */
const TARGET = ['chrome111', 'firefox111', 'safari16.4']

const STYLE_SUFFIX = '.page-style'

/** What a built page consists of, beside its HTML: names of files in `assets`. */
export type BuiltPage = {
  style: string
  /** What the browser loads at once: the entry first, then all that it imports. */
  scripts: string[]
  /** What is loaded when it is needed. */
  laterScripts: string[]
}

/** The content of `pages.json`. `shared` are files with fixed names, for all pages. */
export type BuiltPages = { pages: Record<string, BuiltPage>; shared: string[] }

/**
 * Bundles the pages of the browser into a folder: `NAME.html`, `assets` with a hash of the content in each name, and `pages.json`, which lists
 * them. Files of an earlier build with other names stay, because a running server may still send them.
 */
export async function buildWebPages({ root, target }: { root: string; target: string }): Promise<BuiltPages> {
  const folder = join(root, 'src', 'daemon', 'web')
  const sources = readPageSources(folder)
  const { outputFiles, metafile } = await build({
    absWorkingDir: folder,
    entryPoints: sources.flatMap(({ name, script }) => [
      { in: script, out: name },
      { in: `${name}${STYLE_SUFFIX}`, out: name },
    ]),
    plugins: [pageStyles(folder, sources)],
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    outdir: 'assets',
    write: false,
    metafile: true,
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    target: TARGET,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    logLevel: 'warning',
  })
  mkdirSync(join(target, 'assets'), { recursive: true })
  for (const { path, contents } of outputFiles) place(join(target, 'assets', basename(path)), contents)
  const shared = copyShared(root, target)
  const pages = Object.fromEntries(sources.map((source) => [source.name, builtPage(source, metafile)]))
  for (const source of sources) {
    const { style, scripts } = pages[source.name] ?? builtPage(source, metafile)
    const [script = '', ...imports] = scripts
    place(join(target, `${source.name}.html`), builtHtml(source, { style, script, imports }))
  }
  const built = { pages, shared }
  place(join(target, 'pages.json'), `${JSON.stringify(built, null, 2)}\n`)
  return built
}

/** The style sheets of a page in the order of its HTML, as one. */
function pageStyles(folder: string, sources: readonly PageSource[]): Plugin {
  return {
    name: 'page-styles',
    setup: ({ onResolve, onLoad }) => {
      onResolve({ filter: /\.page-style$/ }, ({ path }) => ({ path, namespace: 'page-style' }))
      onLoad({ filter: /./, namespace: 'page-style' }, ({ path }) => {
        const page = sources.find(({ name }) => path === `${name}${STYLE_SUFFIX}`)
        const contents = (page?.styles ?? []).map((name) => `@import "./${name}";`).join('\n')
        return { contents, loader: 'css', resolveDir: folder }
      })
    },
  }
}

/** Files that the pages name by an address of their own. */
function copyShared(root: string, target: string): string[] {
  const worker = createRequire(join(root, 'package.json')).resolve('hls.js/dist/hls.worker.js')
  const files = { 'icon.svg': join(root, 'src', 'daemon', 'web', 'icon.svg'), 'hls.worker.js': worker }
  for (const [name, source] of Object.entries(files)) place(join(target, 'assets', name), readFileSync(source))
  return Object.keys(files)
}

function builtPage({ name, script }: PageSource, { outputs }: Metafile): BuiltPage {
  const outputOf = (entry: string): string => {
    const found = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === entry)
    if (found === undefined) throw new Error(`${entry} was not built`)
    return found[0]
  }
  const entry = outputOf(script)
  const atOnce = reachable(outputs, [entry], (kind) => kind === 'import-statement')
  const all = reachable(outputs, [entry], () => true)
  const later = all.filter((path) => !atOnce.includes(path))
  return {
    style: basename(outputOf(`page-style:${name}${STYLE_SUFFIX}`)),
    scripts: atOnce.map((path) => basename(path)),
    laterScripts: later.map((path) => basename(path)),
  }
}

function reachable(outputs: Metafile['outputs'], from: string[], follows: (kind: string) => boolean): string[] {
  const found = [...from]
  for (const path of found) {
    const imports = outputs[path]?.imports ?? []
    for (const { path: next, kind, external } of imports) {
      if (external !== true && follows(kind) && !found.includes(next)) found.push(next)
    }
  }
  return found
}

/** Renamed into its place: another process may build the same, or send the file. */
function place(path: string, contents: string | Uint8Array): void {
  const unfinished = `${path}.${process.pid}`
  writeFileSync(unfinished, contents)
  renameSync(unfinished, path)
}
