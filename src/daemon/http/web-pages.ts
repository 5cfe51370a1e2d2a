import { readFile } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { keepResult } from '../../core/platform/cache/index.ts'
import { httpErrors } from '../errors.ts'
import { createWebFile, type WebFile } from './web-file.ts'

/** A page of the browser by its name in scripts/web-pages/page-sources.ts. */
export type WebPageName = 'index' | 'listen' | 'share' | 'hub'

/** The page of a hub asks the servers of its users at their own addresses, which nobody knows before. */
const CONNECT_SOURCES: Partial<Record<WebPageName, { connectSources: string }>> = {
  hub: { connectSources: "'self' http: https:" },
}

/** What scripts/web-pages writes into pages.json. */
type BuiltPages = {
  pages: Record<WebPageName, { style: string; scripts: string[]; laterScripts: string[] }>
  shared: string[]
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** The pages of one build. Its HTML and its list are read together at the first use, because a checkout can be built again meanwhile. */
export type WebPages = {
  /** The HTML of a page. */
  page(name: WebPageName): Promise<WebFile>
  /** A file that the build has listed for one of these pages. The name is never used as a path. */
  asset(name: string, pages: readonly WebPageName[]): Promise<WebFile | undefined>
}

type Build = { list: BuiltPages; html: ReadonlyMap<string, WebFile>; assets: ReadonlyMap<string, WebFile> }

/** All routes of an application share it. */
export function createWebPages(folder: string = webPagesFolder()): WebPages {
  const read = keepResult(() => readBuild(folder))
  return {
    async page(name) {
      const file = (await read()).html.get(name)
      if (file === undefined) throw new Error(`the build has no page ${name}`)
      return file
    },
    async asset(name, pages) {
      const { list, assets } = await read()
      const isListed = list.shared.includes(name) || pages.some((page) => assetsOf(list, page).includes(name))
      return isListed ? assets.get(name) : undefined
    },
  }
}

/** A build that runs places the HTML before its list. It takes less than a second. */
const READ_AGAIN_MILLISECONDS = 100
const MAX_READS = 20

async function readBuild(folder: string): Promise<Build> {
  for (let reads = 1; reads <= MAX_READS; reads += 1) {
    const list = JSON.parse(await readFile(join(folder, 'pages.json'), 'utf8')) as BuiltPages
    const names = Object.keys(list.pages) as WebPageName[]
    const html = await Promise.all(
      names.map(async (name) => ({ name, bytes: await readFile(join(folder, `${name}.html`)) })),
    )
    if (html.every(({ name, bytes }) => fits(bytes, list.pages[name]))) return filesOf(folder, { list, html })
    await setTimeout(READ_AGAIN_MILLISECONDS)
  }
  throw new Error(`the pages in ${folder} do not fit their list`)
}

/** Whether the HTML is of the same build as the list. */
function fits(html: Buffer, { style, scripts }: BuiltPages['pages'][WebPageName]): boolean {
  return [style, ...scripts].every((name) => html.includes(`"/assets/${name}"`))
}

function filesOf(
  folder: string,
  { list, html }: { list: BuiltPages; html: readonly { name: string; bytes: Buffer }[] },
): Build {
  const fileOf = (name: string, isHashed: boolean): [string, WebFile] => {
    const contentType = CONTENT_TYPES[extname(name)] ?? 'application/octet-stream'
    return [name, createWebFile({ read: () => readFile(join(folder, 'assets', name)), contentType, isHashed })]
  }
  const hashed = html.flatMap(({ name }) => assetsOf(list, name as WebPageName))
  const htmlFile = { contentType: 'text/html; charset=utf-8', isHashed: false }
  return {
    list,
    html: new Map(
      html.map(({ name, bytes }) => [
        name,
        createWebFile({ ...htmlFile, read: async () => bytes, ...CONNECT_SOURCES[name as WebPageName] }),
      ]),
    ),
    assets: new Map([...hashed.map((name) => fileOf(name, true)), ...list.shared.map((name) => fileOf(name, false))]),
  }
}

function assetsOf({ pages }: BuiltPages, name: WebPageName): string[] {
  const { style, scripts, laterScripts } = pages[name]
  return [style, ...scripts, ...laterScripts]
}

/** The HTML of a page. */
export function createPageFile(name: WebPageName): WebFile {
  return { send: async (request, reply) => (await request.server.webPages.page(name)).send(request, reply) }
}

/** `/assets/NAME` */
export const AssetParameters = Type.Object({ '*': Type.String() })

/** Scripts, styles and pictures of some pages. */
export type WebAssets = {
  /**
   * Sends the file that the build has listed under this name.
   * @throws AppError `not_found`
   */
  send(name: string, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>
}

export function createWebAssets(pages: readonly WebPageName[]): WebAssets {
  return {
    async send(name, request, reply) {
      const file = await request.server.webPages.asset(name, pages)
      if (file === undefined) throw httpErrors.not_found()
      return file.send(request, reply)
    },
  }
}

/** The folder of the built pages. It is beside `src`, in a checkout and in a release. */
function webPagesFolder(): string {
  let folder = import.meta.dirname
  while (basename(folder) !== 'src' && folder !== dirname(folder)) folder = dirname(folder)
  return join(dirname(folder), 'web-pages')
}
