import { readFileSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { httpErrors } from '../errors.ts'
import { createWebFile, type WebFile } from './web-file.ts'

/** A page of the browser by its name in scripts/web-pages/page-sources.ts. */
export type WebPageName = 'index' | 'listen' | 'share' | 'hub'

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

/** The HTML of a page. */
export function createPageFile(name: WebPageName): WebFile {
  const path = join(webPagesFolder(), `${name}.html`)
  return createWebFile({ path, contentType: 'text/html; charset=utf-8', isHashed: false })
}

/** `/assets/NAME` */
export const AssetParameters = Type.Object({ '*': Type.String() })

/** Scripts, styles and pictures of some pages. */
export type WebAssets = {
  /**
   * Sends the file that the build has listed under this name. The name is never used as a path.
   * @throws AppError `not_found`
   */
  send(name: string, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>
}

/** The list is read at the first request, because a daemon whose page is never opened needs none. */
export function createWebAssets(pages: readonly WebPageName[]): WebAssets {
  let files: Map<string, WebFile> | undefined
  return {
    async send(name, request, reply) {
      const file = (files ??= assetsOf(pages)).get(name)
      if (file === undefined) throw httpErrors.not_found()
      return file.send(request, reply)
    },
  }
}

function assetsOf(names: readonly WebPageName[]): Map<string, WebFile> {
  const folder = webPagesFolder()
  const { pages, shared } = JSON.parse(readFileSync(join(folder, 'pages.json'), 'utf8')) as BuiltPages
  const hashed = names.flatMap((name) => [pages[name].style, ...pages[name].scripts, ...pages[name].laterScripts])
  const fileOf = (name: string, isHashed: boolean): [string, WebFile] => {
    const contentType = CONTENT_TYPES[extname(name)] ?? 'application/octet-stream'
    return [name, createWebFile({ path: join(folder, 'assets', name), contentType, isHashed })]
  }
  return new Map([...hashed.map((name) => fileOf(name, true)), ...shared.map((name) => fileOf(name, false))])
}

/** The folder of the built pages. It is beside `src`, in a checkout and in a release. */
function webPagesFolder(): string {
  let folder = import.meta.dirname
  while (basename(folder) !== 'src' && folder !== dirname(folder)) folder = dirname(folder)
  return join(dirname(folder), 'web-pages')
}
